import { type Plan, planOf, type Tier } from '@talpa/contracts/plans';

export interface Amount {
  readonly priceCents: number;
  /** What the present plan is worth in this change; 0 without one. */
  readonly creditCents: number;
  /** Whether the credit is taken off: not from a price it would cover. */
  readonly isCredited: boolean;
  readonly dueCents: number;
}

/** What a change of plan costs: the price, less the credit where the price is above it. In euro cents. */
export function amountDue(plan: Plan, current: Tier | null): Amount {
  const { priceCents } = plan;
  const creditCents = current ? planOf(current).upgradeCreditCents : 0;
  const isCredited = creditCents > 0 && priceCents > creditCents;
  return {
    priceCents,
    creditCents,
    isCredited,
    dueCents: isCredited ? priceCents - creditCents : priceCents,
  };
}
