import { describe, expect, it } from 'vitest';
import { codeAt, newTotpSecret, shownSecret, stepOf, totpUri } from './totp.ts';

/** The secret of RFC 6238, appendix B. */
const secret = Buffer.from('12345678901234567890');
const at = (seconds: number) => seconds * 1_000;

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [20_000_000_000, '353130'],
  ])('is at %i s what RFC 6238 says', (seconds, code) => {
    expect(stepOf(secret, code, at(seconds))).toBe(Math.floor(seconds / 30));
    expect(codeAt(secret, Math.floor(seconds / 30))).toBe(code);
  });

  it('counts when clocks differ by half a minute, and not by a minute', () => {
    const now = at(1_000_000_015);
    const step = Math.floor(1_000_000_015 / 30);
    for (const steps of [-1, 0, 1])
      expect(stepOf(secret, codeAt(secret, step + steps), now)).toBe(step + steps);
    for (const steps of [-2, 2]) expect(stepOf(secret, codeAt(secret, step + steps), now)).toBeNull();
  });

  it('counts for its own secret alone', () => {
    const [mine, other] = [newTotpSecret(), newTotpSecret()];
    expect(mine).toHaveLength(20);
    expect(stepOf(other, codeAt(mine, 5), at(150))).toBeNull();
  });
});

it('names the account of the secret to apps', () => {
  expect(shownSecret(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const uri = new URL(totpUri(secret, 'Talpa (panel.example.org)', 'rolf'));
  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toBe('/Talpa (panel.example.org):rolf');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: shownSecret(secret),
    digits: '6',
    period: '30',
  });
});
