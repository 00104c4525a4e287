/** The plans a user may have; null is no plan at all. */
export const tiers = ['free', 'basic', 'premium', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

export interface Plan {
  readonly id: Tier;
  readonly name: string;
  /** Monthly price in euro cents. */
  readonly priceCents: number;
  /** What somebody on this plan is credited when they change to a dearer one, in euro cents. */
  readonly upgradeCreditCents: number;
  readonly proxyLimit: number;
  /** How many custom domains a user may have, of all proxies together. */
  readonly domainLimit: number;
  readonly recommended: boolean;
}

/** The catalogue, in the order it is shown. */
export const plans: readonly Plan[] = [
  {
    id: 'free',
    name: 'Starter',
    priceCents: 0,
    upgradeCreditCents: 0,
    proxyLimit: 1,
    domainLimit: 0,
    recommended: false,
  },
  {
    id: 'basic',
    name: 'Basic',
    priceCents: 299,
    upgradeCreditCents: 999,
    proxyLimit: 3,
    domainLimit: 1,
    recommended: false,
  },
  {
    id: 'premium',
    name: 'Premium',
    priceCents: 699,
    upgradeCreditCents: 1_999,
    proxyLimit: 10,
    domainLimit: 5,
    recommended: true,
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    priceCents: 999,
    upgradeCreditCents: 4_999,
    proxyLimit: 25,
    domainLimit: 25,
    recommended: false,
  },
];

const byTier = Object.fromEntries(plans.map((plan) => [plan.id, plan])) as Record<Tier, Plan>;

/** The plan of a tier. */
export function planOf(tier: Tier): Plan {
  return byTier[tier];
}
