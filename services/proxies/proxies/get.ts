import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findMembership, findProxy } from '../proxy/find.ts';
import { publicProxy } from '../proxy/row.ts';

/** One proxy. Only its owner's response is cached: a change invalidates no other user's cache. */
export const getProxy: Verb<Routes['GET /api/tunnel-configs/:id'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { reads, actor } = context;
  const row = await findProxy(reads, id, context);
  if (row.userId === actor.userId) return publicProxy(row);
  context.freshUntil(new Date().toISOString());
  return publicProxy(row, await findMembership(reads, row, actor));
};
