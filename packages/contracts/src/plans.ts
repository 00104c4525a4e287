/** The plans a user may have; null is no plan at all. */
export const tiers = ['free', 'basic', 'premium', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

/** Who may change the plan of a user: the user, by ordering one, or only administrators. */
export const planChangePolicies = ['self', 'administrators'] as const;
export type PlanChangePolicy = (typeof planChangePolicies)[number];

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
  /** How many game ports a user may have, of all proxies together. */
  readonly portLimit: number;
  /** How many members each proxy may have, beside its owner. */
  readonly memberLimit: number;
  /** For how many days the requests to a proxy are logged, where the operator keeps them so long. */
  readonly requestLogDays: number;
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
    portLimit: 0,
    memberLimit: 1,
    requestLogDays: 7,
    recommended: false,
  },
  {
    id: 'basic',
    name: 'Basic',
    priceCents: 299,
    upgradeCreditCents: 999,
    proxyLimit: 3,
    domainLimit: 1,
    portLimit: 1,
    memberLimit: 3,
    requestLogDays: 7,
    recommended: false,
  },
  {
    id: 'premium',
    name: 'Premium',
    priceCents: 699,
    upgradeCreditCents: 1_999,
    proxyLimit: 10,
    domainLimit: 5,
    portLimit: 3,
    memberLimit: 10,
    requestLogDays: 14,
    recommended: true,
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    priceCents: 999,
    upgradeCreditCents: 4_999,
    proxyLimit: 25,
    domainLimit: 25,
    portLimit: 10,
    memberLimit: 50,
    requestLogDays: 30,
    recommended: false,
  },
];

const byTier = Object.fromEntries(plans.map((plan) => [plan.id, plan])) as Record<Tier, Plan>;

/** Whether one plan is larger than another; every plan is larger than none. */
export const isLarger = (plan: Plan, than: Tier | null): boolean =>
  plans.indexOf(plan) > plans.findIndex(({ id }) => id === than);

/** The plan of a tier. */
export function planOf(tier: Tier): Plan {
  return byTier[tier];
}

/** For how many days the requests to a user's proxies are logged. @param most the operator's limit; no plan counts as the free one */
export const requestLogDays = (tier: Tier | null, most: number): number =>
  Math.min(planOf(tier ?? 'free').requestLogDays, most);
