import { planOf } from '@talpa/contracts/plans';
import { expect, it } from 'vitest';
import { noticeKey, planEndOf } from './plan-end.ts';

const now = new Date(2026, 2, 1, 12);
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();

it('a plan’s end is shown in its last seven days and after it, and not before', () => {
  const on = (expiry: string | null) =>
    planEndOf({ tier: 'basic', expiry, proxyLimit: 3, expiredTier: null }, now)?.state;
  expect([on(inDays(8)), on(inDays(6)), on(null)]).toEqual([undefined, 'ending', undefined]);
  const after = planEndOf({ tier: 'free', expiry: null, proxyLimit: 1, expiredTier: 'basic' }, now);
  expect(after).toEqual({ state: 'expired', plan: planOf('basic') });
});

it('a closed warning returns on the next day, a closed notice of the end never', () => {
  const ending = { state: 'ending', plan: planOf('basic'), expiry: inDays(6) } as const;
  const expired = { state: 'expired', plan: planOf('basic') } as const;
  const later = new Date(2026, 2, 1, 23);
  const tomorrow = new Date(2026, 2, 2, 0, 1);
  expect(noticeKey(ending, 7, later)).toBe(noticeKey(ending, 7, now));
  expect(noticeKey(ending, 7, tomorrow)).not.toBe(noticeKey(ending, 7, now));
  expect(noticeKey(expired, 7, tomorrow)).toBe(noticeKey(expired, 7, now));
  expect(noticeKey(expired, 8, now)).not.toBe(noticeKey(expired, 7, now));
});
