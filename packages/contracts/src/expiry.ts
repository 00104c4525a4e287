import { planOf, type Tier } from './plans.ts';

/** What a user may have: as stored by billing and copied by others. Times are ISO 8601 UTC. */
export interface Entitlement {
  readonly tier: Tier | null;
  readonly proxyLimit: number;
  readonly expiresAt: string | null;
}

/** What a user may have now, and the tier that has run out, if one has. */
export interface EffectiveEntitlement extends Entitlement {
  readonly expiredTier: Tier | null;
}

/** No plan: what a user has before taking one. */
export const noEntitlement: Entitlement = { tier: null, proxyLimit: 0, expiresAt: null };

/** After its expiry a plan *is* the free one, whatever limit was set before. Computed on read, everywhere. */
export function entitlementAt(stored: Entitlement, now: Date): EffectiveEntitlement {
  const expired = stored.expiresAt !== null && new Date(stored.expiresAt) <= now;
  if (!expired) return { ...stored, expiredTier: null };
  const free = planOf('free');
  return { tier: free.id, proxyLimit: free.proxyLimit, expiresAt: null, expiredTier: stored.tier };
}

/** One calendar month later in UTC, clamped to the month's last day (31 January → 28 or 29 February). */
export const oneMonthAfter = (start: Date): Date => monthsAfter(start, 1);

/** The same for more months. */
export function monthsAfter(start: Date, months: number): Date {
  const end = new Date(start);
  end.setUTCMonth(end.getUTCMonth() + months);
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0);
  return end;
}

/** How long before its end a plan is warned of, and may be renewed. */
export const endingDays = 7;

/** Whether a plan that has not run out yet does so within the days of warning. */
export function isEnding(expiresAt: string | null, now: Date): expiresAt is string {
  if (expiresAt === null) return false;
  const left = new Date(expiresAt).getTime() - now.getTime();
  return left > 0 && left <= endingDays * 86_400_000;
}
