import { AppError } from '@talpa/service-kit/app-error';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { ProxiesContext } from '../app.ts';
import { applySubscription } from './copies.ts';

/**
 * Runs a create. Where the copy of the subscription says that the limit is reached, billing is asked whether it
 * still is: a copy that is late (its event waits in an outbox) must refuse nobody what he has been given.
 * @throws (what create throws) AppError service_unavailable, deadline_exceeded when billing cannot be asked
 */
export async function withFreshLimit<T>(
  context: ProxiesContext,
  userId: number,
  create: () => Promise<T>,
): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'proxy_limit_reached') throw error;
    const subscription = await callInternal(context.nc, 'billing.readSubscription', { userId }, context);
    if (subscription) await context.transaction((tx) => applySubscription(tx, subscription));
    // Even if it was no news: the event may have brought it in between.
    return create();
  }
}
