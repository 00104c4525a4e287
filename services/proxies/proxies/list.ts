import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../app.ts';
import { type ProxyRow, publicProxy } from './row.ts';

/** One's own proxies, oldest first. */
export const listProxies: Verb<Routes['GET /api/tunnel-configs'], ProxiesContext> = async ({
  sql,
  actor,
}) => {
  const rows = await sql<ProxyRow[]>`
    select * from proxies where user_id = ${actor.userId} and removed_at is null order by id limit 1000`;
  return rows.map(publicProxy);
};
