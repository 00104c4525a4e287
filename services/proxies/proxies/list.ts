import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { withTokenRights } from '../server/token-rights.ts';
import { proxiesPage } from './page.ts';

/** The caller's proxies, oldest first unless another order is asked for. */
export const listProxies: Verb<Routes['GET /api/tunnel-configs'], ProxiesContext> = async (
  context,
  input,
) => {
  // A search may look at every row there is.
  const sql = input.q === undefined ? context.reads : context.sql;
  const { userId, apiKey } = context.actor;
  const { rows, facts } = await proxiesPage(sql, { ...input, userId, ids: apiKey?.proxyIds ?? null });
  context.setPage(facts);
  return withTokenRights(sql, rows, context.actor);
};
