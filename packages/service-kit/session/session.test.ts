import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAssertionSigner, createAssertionVerifier } from './assertion.ts';
import { openSigningKeys, openVerifyingKeys, publicHalf } from './keys.ts';
import { createTokenVerifier, signSession } from './token.ts';

const secret = randomBytes(32).toString('base64url');
const signing = openSigningKeys(`k1:${secret}`);
const verifying = openVerifyingKeys(`k1:${publicHalf(secret)}`);
const actor = { userId: 7, isAdmin: true, sessionId: randomUUID() };
const sign = () => createAssertionSigner(signing)(actor);

beforeEach(() => {
  vi.useFakeTimers({ now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('what auth signs', () => {
  it('counts for its own purpose alone: no service that sees an assertion has a cookie', () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const cookie = signSession(signing, { ...actor, expiresAt });
    expect(createTokenVerifier(verifying)(cookie)).toMatchObject({ userId: 7 });
    expect(createTokenVerifier(verifying)(sign())).toBeNull();
    expect(createAssertionVerifier(verifying)(sign())).toEqual(actor);
    expect(createAssertionVerifier(verifying)(cookie)).toBeNull();
  });

  it('counts with its signature alone, under whatever key’s id', () => {
    const [header = '', claims = '', signature = ''] = sign().split('.');
    const forger = openSigningKeys(`k1:${randomBytes(32).toString('base64url')}`);
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', kid: 'k1' })).toString('base64url');
    const more = Buffer.from(claims, 'base64url').toString().replace('"7"', '"8"');
    for (const forged of [
      createAssertionSigner(forger)(actor),
      `${unsigned}.${claims}.`,
      `${header}.${Buffer.from(more).toString('base64url')}.${signature}`,
    ])
      expect(createAssertionVerifier(verifying)(forged)).toBeNull();
  });
});

describe('an assertion', () => {
  it('counts for three minutes and what clocks may differ, read before or not', () => {
    const assertion = sign();
    const reader = createAssertionVerifier(verifying);
    const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);
    expect(reader(assertion)).toEqual(actor);
    pass(170);
    expect(reader(assertion)).toEqual(actor);
    expect(createAssertionVerifier(verifying)(assertion)).toEqual(actor);
    pass(41);
    expect(reader(assertion)).toBeNull();
    expect(createAssertionVerifier(verifying)(assertion)).toBeNull();
  });

  it('is given again for less than a minute, so that one which auth gives out counts for two more', () => {
    const signer = createAssertionSigner(signing);
    const first = signer(actor);
    vi.advanceTimersByTime(59_000);
    expect(signer(actor)).toBe(first);
    vi.advanceTimersByTime(2_000);
    expect(signer(actor)).not.toBe(first);
  });
});

it('a cookie read before its session ended counts no longer than one read after it', () => {
  const cookie = signSession(signing, { ...actor, expiresAt: new Date(Date.now() + 60_000) });
  const reader = createTokenVerifier(verifying);
  expect(reader(cookie)).toMatchObject({ userId: 7 });
  vi.advanceTimersByTime(61_000);
  expect(reader(cookie)).toBeNull();
});
