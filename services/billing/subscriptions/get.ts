import type { Routes, Verb } from '@talpa/contracts';
import type { BillingContext } from '../context.ts';
import { effective, findSubscription, publicSubscription } from './sql.ts';

/** The caller's subscription as it is now. */
export const getSubscription: Verb<Routes['GET /api/user/subscription'], BillingContext> = async ({
  reads,
  actor,
  freshUntil,
}) => {
  const now = effective(await findSubscription(reads, actor.userId));
  freshUntil(now.expiresAt);
  return publicSubscription(now);
};
