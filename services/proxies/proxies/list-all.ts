import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { withTokenRights } from '../server/token-rights.ts';
import { proxiesPage } from './page.ts';

/** All proxies of all users, oldest first unless another order is asked for. */
export const listAllProxies: Verb<Routes['GET /api/admin/tunnel-configs'], ProxiesContext> = async (
  context,
  input,
) => {
  const ids = context.actor.apiKey?.proxyIds ?? null;
  const { rows, facts } = await proxiesPage(context.sql, { ...input, ids, byOwner: true });
  context.setPage(facts);
  return withTokenRights(context.sql, rows, context.actor);
};
