import { isLarger, type Plan, planOf, requestLogDays, type Tier } from '@talpa/contracts/plans';

/** What a change of plan takes away, or leaves as it is although the new plan would not allow it. */
export type Consequence =
  /** More proxies than the plan allows: `used` go on, and `tooMany` have to go before another can be created. */
  | { readonly kind: 'above'; readonly used: number; readonly tooMany: number }
  /** Domains, ports and members that the plan would not allow stay, too. */
  | { readonly kind: 'fewer' }
  | { readonly kind: 'log'; readonly days: number }
  /** What was paid for and not used is lost. */
  | { readonly kind: 'ends'; readonly name: string; readonly expiry: string };

/** What this installation offers beside proxies. */
export interface Offers {
  readonly customDomains: boolean;
  readonly gamePorts: boolean;
  /** For how many days requests are logged at most. */
  readonly requestLogDays: number;
}

/** @param now what the user has: plan, its end, and how many proxies */
export function consequencesOf(
  plan: Plan,
  now: { readonly tier: Tier | null; readonly expiry: string | null; readonly used: number },
  offers: Offers,
): readonly Consequence[] {
  const { tier, expiry, used } = now;
  const consequences: Consequence[] = [];
  if (used > plan.proxyLimit) consequences.push({ kind: 'above', used, tooMany: used - plan.proxyLimit + 1 });
  if (tier === null || isLarger(plan, tier)) return consequences;
  const before = planOf(tier);
  const isFewer =
    plan.memberLimit < before.memberLimit ||
    (offers.customDomains && plan.domainLimit < before.domainLimit) ||
    (offers.gamePorts && plan.portLimit < before.portLimit);
  if (isFewer) consequences.push({ kind: 'fewer' });
  const days = requestLogDays(plan.id, offers.requestLogDays);
  if (days < requestLogDays(tier, offers.requestLogDays)) consequences.push({ kind: 'log', days });
  if (expiry !== null) consequences.push({ kind: 'ends', name: before.name, expiry });
  return consequences;
}
