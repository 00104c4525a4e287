import type { Subscription } from '@talpa/contracts';
import { isEnding } from '@talpa/contracts/expiry';
import { type Plan, planOf } from '@talpa/contracts/plans';

/** That a plan ends within days, or has ended, and could be renewed. */
export type PlanEnd =
  | { readonly state: 'ending'; readonly plan: Plan; readonly expiry: string }
  | { readonly state: 'expired'; readonly plan: Plan };

/** What there is to be said of a plan's end now; null while there is nothing. */
export function planEndOf({ tier, expiry, expiredTier }: Subscription, now: Date): PlanEnd | null {
  if (expiredTier) return { state: 'expired', plan: planOf(expiredTier) };
  if (tier && isEnding(expiry, now)) return { state: 'ending', plan: planOf(tier), expiry };
  return null;
}

/** What names a notice that was closed: a warning returns the next day, the end itself is said once. */
export function noticeKey(end: PlanEnd, userId: number, now: Date): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].join('-');
  const what = end.state === 'ending' ? [end.expiry, day] : [];
  return [userId, end.state, end.plan.id, ...what].join(' ');
}
