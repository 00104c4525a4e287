import { describe, expect, it } from 'vitest';
import { entitlementAt, isEnding, oneMonthAfter } from './expiry.ts';

describe('an entitlement', () => {
  const stored = { tier: 'premium', proxyLimit: 40, expiresAt: '2026-03-01T00:00:00.000Z' } as const;

  it('is what was stored until it expires', () => {
    expect(entitlementAt(stored, new Date('2026-02-28T23:59:59Z'))).toEqual({ ...stored, expiredTier: null });
  });
  it('is the free plan from its expiry on, whatever limit was set, and says what has run out', () => {
    expect(entitlementAt(stored, new Date('2026-03-01T00:00:00Z'))).toEqual({
      tier: 'free',
      proxyLimit: 1,
      expiresAt: null,
      expiredTier: 'premium',
    });
  });
  it('without an expiry never ends', () => {
    const forever = { ...stored, expiresAt: null };
    expect(entitlementAt(forever, new Date('2999-01-01')).tier).toBe('premium');
  });
});

describe('one month later', () => {
  it.each([
    ['2026-01-15T10:00:00.000Z', '2026-02-15T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
    ['2028-01-31T10:00:00.000Z', '2028-02-29T10:00:00.000Z'],
    ['2026-12-31T23:59:59.000Z', '2027-01-31T23:59:59.000Z'],
  ])('than %s is %s', (start, end) => {
    expect(oneMonthAfter(new Date(start)).toISOString()).toBe(end);
  });
});

it('a plan is ending in its last seven days, neither before nor once it has run out, nor without an expiry', () => {
  const now = new Date('2026-03-01T12:00:00.000Z');
  const ending = (expiresAt: string | null) => isEnding(expiresAt, now);
  expect(ending('2026-03-08T12:00:00.000Z')).toBe(true);
  expect(ending('2026-03-01T12:00:00.001Z')).toBe(true);
  expect(ending('2026-03-08T12:00:00.001Z')).toBe(false);
  expect(ending('2026-03-01T12:00:00.000Z')).toBe(false);
  expect(ending(null)).toBe(false);
});
