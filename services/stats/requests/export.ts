import { exportBytes, type InternalCalls, type Verb } from '@talpa/contracts';
import { fitting } from '@talpa/service-kit/database/page';
import type { StatsContext } from '../context.ts';
import { columns, publicRequest, type RequestRow } from './read.ts';

const rowsAtOnce = 2_000;

/** The request logs of a user's proxies, for their own export: as much as fits into the response beside other parts. */
export const exportRequests: Verb<InternalCalls['stats.exportRequests'], StatsContext> = async (
  { sql },
  { userId, after },
) => {
  const rows = await sql<(RequestRow & { ofProxy: number })[]>`
    select ${columns(sql)}, (select id from owners where owners.proxy_id = requests.proxy_id) as of_proxy
    from requests where id > ${after ?? 0} and proxy_id in (select proxy_id from owners where user_id = ${userId})
    order by id limit ${rowsAtOnce + 1}`;
  const exported = ({ ofProxy, ...row }: (typeof rows)[number]) => ({
    ...publicRequest(row),
    proxyId: ofProxy,
  });
  const requests = fitting(rows.slice(0, rowsAtOnce), exported, exportBytes.requests);
  const hasMore = requests.length < rows.length;
  return { requests, next: hasMore ? (rows[requests.length - 1]?.id ?? null) : null };
};
