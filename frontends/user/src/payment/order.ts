import { oneMonthAfter } from '@talpa/contracts/expiry';
import type { Plan, Tier } from '@talpa/contracts/plans';
import { type Amount, amountDue } from './amount.ts';
import type { Consequence } from './consequences.ts';

/** What is paid for: another plan, or one more month of one that ends or has ended. */
export type Purpose = 'change' | 'renewal';

/** A plan somebody has chosen, at the price of that moment. */
export interface Order {
  /** With which it is sent: the server places it once, however often it comes. */
  readonly id: string;
  readonly plan: Plan;
  readonly purpose: Purpose;
  readonly amount: Amount;
  /** The plan the user was on, from which the amount follows; null without one. */
  readonly from: Tier | null;
  /** When that one ends, as the user was shown. */
  readonly fromExpiry: string | null;
  /** When a plan ends that is renewed before its end; null for all others, which last a month from their order. */
  readonly validUntil: string | null;
  /** What the change takes away. */
  readonly consequences: readonly Consequence[];
}

/**
 * @param current the plan the user is on; null without one, and when it has run out
 * @param expiry when that one ends, as ISO 8601; null: never, or it has run out
 */
export function newOrder(
  plan: Plan,
  purpose: Purpose,
  current: Tier | null,
  expiry: string | null,
  consequences: readonly Consequence[],
): Order {
  const isRenewal = purpose === 'renewal';
  return {
    id: newOrderId(),
    plan,
    purpose,
    from: current,
    fromExpiry: expiry,
    // A further month of the same plan replaces nothing that could be credited.
    amount: amountDue(plan, isRenewal ? null : current),
    validUntil: isRenewal && expiry ? oneMonthAfter(new Date(expiry)).toISOString() : null,
    consequences,
  };
}

/** An id that no other order has. Not a UUID: browsers make none where the panel is opened without https. */
export const newOrderId = (): string => [...crypto.getRandomValues(new Uint32Array(4))].join('-');
