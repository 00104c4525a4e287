import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';
import { publicProxyFor } from '../server/token-rights.ts';

/** One proxy. Only its owner's response is cached: a change invalidates no other user's cache. */
export const getProxy: Verb<Routes['GET /api/tunnel-configs/:id'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { reads, actor } = context;
  const row = await findProxy(reads, id, context);
  if (row.userId !== actor.userId) context.freshUntil(new Date().toISOString());
  return publicProxyFor(reads, row, actor);
};
