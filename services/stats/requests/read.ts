import type { InternalCalls, LoggedRequest, Verb } from '@talpa/contracts';
import { readPage } from '@talpa/service-kit/database/page';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { StatsContext } from '../context.ts';
import { type Filters, wantedBy } from './filters.ts';

export interface RequestRow extends Omit<LoggedRequest, 'at'> {
  id: number;
  at: Date;
}

export const publicRequest = ({ id: _id, at, ...row }: RequestRow): LoggedRequest => ({
  ...row,
  at: at.toISOString(),
});

/** A proxy's requests, the newest first. Who asks may see the proxy. */
export const readRequests: Verb<InternalCalls['stats.readRequests'], StatsContext> = async (
  { sql, liveRequests },
  { proxyId, mode, days, limit, cursor, ...filters },
) => {
  const since = await watch(sql, proxyId);
  if (mode === 'live') {
    const held = liveRequests.of(proxyId, since).filter(wantedBy(filters));
    return { requests: held.slice(0, limit), next: null, total: String(held.length) };
  }
  const { rows, facts } = await readPage<RequestRow, LoggedRequest>(
    sql,
    { limit, cursor, sort: '-at' },
    {
      columns: columns(sql),
      from: sql`requests`,
      id: sql`id`,
      where: [
        sql`proxy_id = ${proxyId}`,
        sql`at >= now() - make_interval(days => ${days})`,
        ...conditions(sql, filters),
      ],
      sorts: { at: { by: sql`at`, valueOf: ({ at }) => at.toISOString() } },
    },
    publicRequest,
  );
  return { requests: rows, ...facts };
};

export const columns = (sql: Sql) => sql`
  requests.id, request_id, at, method, path, status, duration, bytes_in, bytes_out, network, agent, reason, rule`;

function conditions(sql: Sql, { method, status, reason, path, from, to }: Filters) {
  const lowest = status === undefined ? 0 : Number(status[0]) * 100;
  return [
    method && sql`method = ${method}`,
    status && sql`status between ${lowest} and ${lowest + 99}`,
    reason && (reason === 'any' ? sql`reason is not null` : sql`reason = ${reason}`),
    path && sql`starts_with(path, ${path})`,
    from && sql`at >= ${from}`,
    to && sql`at < ${to}`,
  ].filter((one) => typeof one === 'object');
}

/** Who reads watches: they are notified of new requests for so long. */
const watchSeconds = 60;

/** Stores that somebody watches, now and then. @returns since when the log has its mode */
async function watch(sql: Sql, proxyId: string): Promise<Date> {
  await sql`
    update request_logs set watched_until = now() + make_interval(secs => ${watchSeconds})
    where proxy_id = ${proxyId} and coalesce(watched_until < now() + make_interval(secs => ${watchSeconds / 2}), true)`;
  const [log] = await sql<{ since: Date }[]>`select since from request_logs where proxy_id = ${proxyId}`;
  return log?.since ?? new Date();
}

/** How many requests of a proxy are stored, and how many of the same time are missing. */
export const readRequestLog: Verb<InternalCalls['stats.readRequestLog'], StatsContext> = async (
  { reads },
  { proxyId, days },
) => {
  const [row] = await reads<{ entries: number; missed: number }[]>`
    select coalesce((select stored from request_logs where proxy_id = ${proxyId}), 0) as entries,
      (select coalesce(sum(count), 0)::bigint from missed_requests
        where proxy_id = ${proxyId} and hour > now() - make_interval(days => ${days})) as missed`;
  return row ?? { entries: 0, missed: 0 };
};
