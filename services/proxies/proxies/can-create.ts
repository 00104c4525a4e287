import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { countProxies, readQuota } from '../users/limits.ts';

/** Whether one may create another proxy; `pending` and `error` count too. */
export const canCreateProxy: Verb<
  Routes['GET /api/user/subscription/can-create-proxy'],
  ProxiesContext
> = async ({ reads, actor, freshUntil }) => {
  const { limit, current, expiresAt } = await readQuota(reads, actor.userId);
  const only = actor.apiKey?.proxyIds;
  freshUntil(expiresAt);
  // A key that is limited to some proxies creates none, and counts no others.
  if (only) return { canCreate: false, limit, current: await countProxies(reads, actor.userId, only) };
  return { canCreate: actor.suspensionReason === undefined && current < limit, limit, current };
};
