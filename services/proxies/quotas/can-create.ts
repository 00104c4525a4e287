import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { readQuota } from './sql.ts';

/** Whether one may create another proxy; `pending` and `error` count too. */
export const canCreateProxy: Verb<
  Routes['GET /api/user/subscription/can-create-proxy'],
  ProxiesContext
> = async ({ reads, actor, freshUntil }) => {
  const { limit, current, expiresAt } = await readQuota(reads, actor.userId);
  freshUntil(expiresAt);
  return { canCreate: actor.suspensionReason === undefined && current < limit, limit, current };
};
