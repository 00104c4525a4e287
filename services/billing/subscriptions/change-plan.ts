import { type EffectiveEntitlement, oneMonthAfter, planOf, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { changesBetween } from '@talpa/service-kit/database/changes';
import { watchCopies } from '@talpa/service-kit/events/watch';
import type { BillingContext } from '../app.ts';
import { effective, lockSubscription, publicSubscription, saveSubscription } from './sql.ts';

/**
 * Changes the plan at once, up or down: its limit, and an expiry one month on (free: none). Answers when
 * those who show and enforce the limit know it.
 */
export const changePlan: Verb<Routes['POST /api/user/subscription'], BillingContext> = async (
  context,
  input,
) => {
  const { userId } = context.actor;
  const plan = planOf(input.planId);
  const watch = await watchCopies(context.nc, 'subscription', userId, ['auth', 'proxies']);
  try {
    const changed = await context.transaction(async (tx) => {
      const row = await lockSubscription(tx, userId);
      if (row.deleted) throw new AppError('not_signed_in');
      if (effective(row).tier === plan.id) throw new AppError('same_plan');
      const expiresAt = plan.priceCents === 0 ? null : oneMonthAfter(new Date());
      const next = { ...row, tier: plan.id, proxyLimit: plan.proxyLimit, expiresAt };
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
};

const auditedState = ({ tier, proxyLimit, expiresAt }: EffectiveEntitlement) => ({
  tier,
  proxyLimit,
  expiry: expiresAt,
});
