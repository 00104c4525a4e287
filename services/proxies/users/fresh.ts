import type { ErrorCode } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { ProxiesContext } from '../context.ts';
import { projectUser } from './projection.ts';
import { applySubscription } from './subscription-projection.ts';

type Refresh = (context: ProxiesContext, userId: number) => Promise<void>;

const refreshSubscription: Refresh = async (context, userId) => {
  const subscription = await callInternal(context.nc, 'billing.readSubscription', { userId }, context);
  if (subscription) await context.transaction((tx) => applySubscription(tx, subscription));
};

/** The refusals that depend on a projection, and how to bring it up to date. */
const refreshers: Readonly<Partial<Record<ErrorCode, Refresh>>> = {
  proxy_limit_reached: refreshSubscription,
  server_limit_reached: refreshSubscription,
  domain_limit_reached: refreshSubscription,
  game_port_limit_reached: refreshSubscription,
  member_limit_reached: refreshSubscription,
  account_suspended: async (context, userId) => {
    const place = { after: userId - 1, limit: 1 };
    const { snapshots } = await callInternal(context.nc, 'auth.readUsers', place, context);
    for (const user of snapshots)
      if (user.id === userId) await context.transaction((tx) => projectUser(tx, user));
  },
};

/**
 * Runs work that a projection may refuse: the subscription’s limit, the user’s suspension. Before the refusal counts, this asks the
 * owner of the data and repeats the work: a projection may be late, because its event still waits in an outbox.
 * @throws (what it throws) AppError service_unavailable, deadline_exceeded when the owner cannot be asked
 */
export async function withFreshProjections<T>(
  context: ProxiesContext,
  userId: number,
  work: () => Promise<T>,
  asked: ReadonlySet<ErrorCode> = new Set(),
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refresh = error instanceof AppError && !asked.has(error.code) && refreshers[error.code];
    if (!refresh) throw error;
    await refresh(context, userId);
    // Even if nothing changed: the event may have brought it in between.
    return withFreshProjections(context, userId, work, new Set([...asked, error.code]));
  }
}
