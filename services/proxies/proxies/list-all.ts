import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../app.ts';
import { type ProxyRow, publicProxy } from './row.ts';

/** All proxies of all users, oldest first. */
export const listAllProxies: Verb<Routes['GET /api/admin/tunnel-configs'], ProxiesContext> = async ({
  sql,
}) => {
  const rows = await sql<ProxyRow[]>`select * from proxies where removed_at is null order by id limit 1000`;
  return rows.map(publicProxy);
};
