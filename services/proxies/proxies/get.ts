import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findProxy, publicProxy } from './row.ts';

/** One proxy. An administrator's response about another user's is not cached: a change invalidates its owner's cache alone. */
export const getProxy: Verb<Routes['GET /api/tunnel-configs/:id'], ProxiesContext> = async (
  { reads, actor, freshUntil },
  { id },
) => {
  const row = await findProxy(reads, id, actor);
  if (row.userId !== actor.userId) freshUntil(new Date().toISOString());
  return publicProxy(row);
};
