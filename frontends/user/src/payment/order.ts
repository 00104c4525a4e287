import type { Plan, Tier } from '@talpa/contracts/plans';
import { type Amount, amountDue } from './amount.ts';

/** What is paid for: another plan, or one more month of one that ends or has ended. */
export type Purpose = 'change' | 'renewal';

/** A plan somebody has chosen, at the price of that moment. */
export interface Order {
  readonly plan: Plan;
  readonly purpose: Purpose;
  readonly amount: Amount;
  /** The plan one was on, from which the amount follows; null without one. */
  readonly from: Tier | null;
}

/** @param current the plan one is on; null without one, and when it has run out */
export function newOrder(plan: Plan, purpose: Purpose, current: Tier | null): Order {
  // A further month of the same plan replaces nothing that could be credited.
  return { plan, purpose, from: current, amount: amountDue(plan, purpose === 'renewal' ? null : current) };
}
