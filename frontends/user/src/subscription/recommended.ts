import { isLarger, type Plan, type Tier } from '@talpa/contracts/plans';

/** Whether a plan is recommended to somebody: only one that is larger than theirs. */
export function isRecommended(plan: Plan, current: Tier | null): boolean {
  return plan.recommended && isLarger(plan, current);
}
