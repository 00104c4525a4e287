import type { Tier } from '@talpa/contracts/plans';
import type { Order } from './order.ts';

/**
 * Why an order cannot be placed: the account is suspended, the plan is the current one, or the amount belongs to
 * a plan that was replaced meanwhile.
 */
export type Refusal = 'suspended' | 'same' | 'outdated';

/** @param now what holds now; `tier`: the plan the user is on, null without one */
export function refusalOf(
  { plan, purpose, from }: Pick<Order, 'plan' | 'purpose' | 'from'>,
  now: { readonly isSuspended: boolean; readonly tier: Tier | null },
): Refusal | null {
  if (now.isSuspended) return 'suspended';
  // A further month is of the user's plan, or of the one that ran out: then the user is on the free plan.
  if (purpose === 'renewal') return [null, 'free', plan.id].includes(now.tier) ? null : 'outdated';
  if (now.tier === plan.id) return 'same';
  return now.tier === from ? null : 'outdated';
}
