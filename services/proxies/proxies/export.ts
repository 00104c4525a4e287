import type { InternalCalls, Verb } from '@talpa/contracts';
import { fitting } from '@talpa/service-kit/database/page';
import type { ProxiesContext } from '../context.ts';
import { domainsOf } from '../domains/row.ts';
import { type ProxyRow, publicProxy } from './row.ts';

const rowsAtOnce = 500;
const mostBytes = 300_000;

/** The user's own export of their proxies: as much as fits into the response beside the other services' parts. */
export const exportUser: Verb<InternalCalls['proxies.exportUser'], ProxiesContext> = async (
  { sql },
  { userId, after },
) => {
  const rows = await sql<ProxyRow[]>`
    select * from proxies where user_id = ${userId} and removed_at is null and id > ${after ?? 0}
    order by id limit ${rowsAtOnce + 1}`;
  const shown = rows.slice(0, rowsAtOnce);
  const domains = await domainsOf(sql, shown);
  const exported = (row: ProxyRow) => ({ ...publicProxy(row), domains: domains.get(row.id) ?? [] });
  const proxies = fitting(shown, exported, mostBytes);
  return { proxies, next: proxies.length < rows.length ? (proxies.at(-1)?.id ?? null) : null };
};
