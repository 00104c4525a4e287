import { randomFrom } from '@talpa/test-kit/requests/random';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { entitlementAt, isEnding, monthsAfter, oneMonthAfter } from './expiry.ts';

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

/** Some months after a moment, by the calendar alone: of its text the day is cut down to what its month has. */
function later(start: string, months: number): string {
  const [year = 0, month = 0] = start.split('-').map(Number);
  const count = year * 12 + month - 1 + months;
  const [endYear, endMonth] = [Math.floor(count / 12), (count % 12) + 1];
  const isLeap = (endYear % 4 === 0 && endYear % 100 !== 0) || endYear % 400 === 0;
  const longest = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][endMonth - 1] ?? 0;
  const day = Math.min(Number(start.slice(8, 10)), longest);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${endYear}-${two(endMonth)}-${two(day)}${start.slice(10)}`;
}

describe('months later', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['2026-01-31T10:00:00.000Z', 1, '2026-02-28T10:00:00.000Z'],
    ['2028-01-31T10:00:00.000Z', 1, '2028-02-29T10:00:00.000Z'],
    ['2026-12-31T23:59:59.000Z', 1, '2027-01-31T23:59:59.000Z'],
    ['2026-11-30T00:00:00.000Z', 15, '2028-02-29T00:00:00.000Z'],
  ])('than %s by %i is %s', (start, months, end) => {
    expect(monthsAfter(new Date(start), months).toISOString()).toBe(end);
    expect(later(start, months)).toBe(end);
  });

  it.each(['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York', 'Europe/Berlin'])(
    'is the same day and time in UTC, or the month’s last day, wherever the machine is (%s)',
    (timeZone) => {
      vi.stubEnv('TZ', timeZone);
      const random = randomFrom(35);
      for (let round = 0; round < 2_000; round++) {
        const month = Date.UTC(2024, random.below(96));
        // Days and hours about the ends of months.
        const start = new Date(
          month + (random.below(8 * 24) - 4 * 24) * 3_600_000 + random.below(2),
        ).toISOString();
        const months = 1 + random.below(36);
        const end = later(start, months);
        expect(monthsAfter(new Date(start), months).toISOString(), `${start} + ${months}`).toBe(end);
        if (months === 1) expect(oneMonthAfter(new Date(start)).toISOString()).toBe(end);
      }
    },
  );
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
