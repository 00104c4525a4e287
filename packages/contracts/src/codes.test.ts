import { expect, it } from 'vitest';
import { codeAlphabet } from './codes.ts';
import { invitationCodeLength } from './invitations.ts';
import { recoveryCodeLength } from './second-factors.ts';

it('an invitation’s code has 60 random bits, a recovery code 80', () => {
  const bits = Math.log2(new Set(codeAlphabet).size);
  expect([invitationCodeLength * bits, recoveryCodeLength * bits]).toEqual([60, 80]);
});
