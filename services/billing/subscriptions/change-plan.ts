import {
  type EffectiveEntitlement,
  type InputOf,
  isEnding,
  oneMonthAfter,
  type Plan,
  planOf,
  type Routes,
  type Verb,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { changesBetween, refuseEditConflict } from '@talpa/service-kit/database/changes';
import { once } from '@talpa/service-kit/database/idempotency';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { watchProjections } from '@talpa/service-kit/events/watch';
import type { BillingContext } from '../context.ts';
import {
  effective,
  findSubscription,
  lockSubscription,
  publicSubscription,
  type SubscriptionRow,
  saveSubscription,
} from './sql.ts';

/** The subscription that the order's page showed. */
type Expected = InputOf<Routes['POST /api/user/subscription']>['expected'];

/**
 * Changes the plan at once, up or down: its limit, and an expiry one month on (free: none). The same plan is
 * renewed in its last days: a month more. Answers when those who show and enforce the limit know it. An order that is
 * sent again, by its Idempotency-Key, changes nothing more and answers the plan as it is.
 */
export const changePlan: Verb<Routes['POST /api/user/subscription'], BillingContext> = (context, input) => {
  const { userId } = context.actor;
  if (context.settings.PLAN_CHANGES === 'administrators') throw new AppError('plan_changes_closed');
  return once({
    context,
    call: 'changePlan',
    input,
    create: (claim) =>
      placeOrder(context, planOf(input.planId), input.expected, (tx) => claim(tx, String(userId))),
    repeat: async () => publicSubscription(effective(await findSubscription(context.sql, userId))),
  });
};

async function placeOrder(
  context: BillingContext & { readonly actor: { readonly userId: number } },
  plan: Plan,
  expected: Expected,
  claim: (tx: Tx) => Promise<void>,
) {
  const { userId } = context.actor;
  const watch = await watchProjections(context, 'subscription', userId, ['auth', 'proxies']);
  try {
    const changed = await context.transaction(async (tx) => {
      await claim(tx);
      const row = await lockSubscription(tx, userId);
      if (row.deleted) throw new AppError('not_signed_in');
      const next = { ...row, ...afterOrder(effective(row), plan, new Date()) };
      refuseOutdated(row, plan, expected);
      const version = await saveSubscription(tx, next);
      await tx.audit({
        target: { kind: 'subscription', id: userId, label: null },
        subjectUserId: userId,
        changes: changesBetween(auditedState(effective(row)), auditedState(effective(next))),
      });
      return { ...next, version };
    });
    await context.whileWaiting(watch.reached((snapshot) => snapshot.version >= changed.version));
    return publicSubscription(effective(changed));
  } finally {
    watch.close();
  }
}

/**
 * Refuses an order whose page showed another subscription: its price and what it takes away were those of that one.
 * @throws AppError `edit_conflict`
 */
function refuseOutdated(row: SubscriptionRow, plan: Plan, expected: Expected): void {
  // A plan that is renewed may have run out since: time alone has changed nothing.
  const end =
    expected?.tier === plan.id && expected.expiry ? Date.parse(expected.expiry) : Number.POSITIVE_INFINITY;
  const { tier, expiry } = publicSubscription(effective(row, new Date(Math.min(Date.now(), end - 1))));
  refuseEditConflict(expected, { tier, expiry });
}

/** @throws AppError same_plan */
function afterOrder(present: EffectiveEntitlement, plan: Plan, now: Date) {
  if (present.tier === plan.id) {
    if (!isEnding(present.expiresAt, now)) throw new AppError('same_plan');
    // The limit stays: an administrator may have set another one.
    return { expiresAt: oneMonthAfter(new Date(present.expiresAt)) };
  }
  const expiresAt = plan.priceCents === 0 ? null : oneMonthAfter(now);
  return { tier: plan.id, proxyLimit: plan.proxyLimit, expiresAt };
}

const auditedState = ({ tier, proxyLimit, expiresAt }: EffectiveEntitlement) => ({
  tier,
  proxyLimit,
  expiry: expiresAt,
});
