import { type LoggedRequests, mostLoggedRequests } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { type Reader, selectReaders } from '../proxies/readers.ts';
import { ofProxies, type ProxyRequests } from './of-proxies.ts';

/** When a log is full, so many of its oldest entries make room at once. */
const roomMade = 500;

interface LogRow {
  proxyId: string;
  isWatched: boolean;
}

/**
 * Stores requests of proxies whose log is kept. Others are dropped, whatever the edge knew, and those that began
 * before the log was switched on.
 * @returns whose log has new entries and is watched
 */
export async function keepRequests(tx: Tx, requests: LoggedRequests): Promise<Reader[]> {
  const { sql } = tx;
  const { entries, missed } = await ofProxies(sql, requests);
  const logs = await lockLogs(sql, [...new Set([...entries, ...missed].map(({ proxyId }) => proxyId))]);
  const kept = new Set(logs.map(({ proxyId }) => proxyId));
  const isKept = ({ proxyId }: { readonly proxyId: string }) => kept.has(proxyId);
  const stored = entries.filter(isKept);
  if (stored.length > 0) await insertRequests(sql, stored);
  const counts = missed.filter(isKept);
  if (counts.length > 0) await addMissed(sql, counts);
  const watched = logs.filter(({ isWatched }) => isWatched).map(({ proxyId }) => proxyId);
  return readersOf(sql, watched);
}

/** Whom news of these proxies' logs go to. */
export async function readersOf(sql: AnySql, proxyIds: readonly string[]): Promise<Reader[]> {
  if (proxyIds.length === 0) return [];
  return sql<Reader[]>`
    ${selectReaders(sql)} where owners.proxy_id = any(${sql.array([...proxyIds], 2950)})`;
}

/** The logs of these proxies that are kept, held until the transaction ends: a change of their mode waits. */
async function lockLogs(sql: AnySql, proxyIds: readonly string[]): Promise<LogRow[]> {
  const ids = sql.array([...proxyIds], 2950);
  await sql`
    insert into request_logs (proxy_id) select proxy_id from owners where proxy_id = any(${ids}) order by 1
    on conflict (proxy_id) do nothing`;
  return sql<LogRow[]>`
    select proxy_id, coalesce(watched_until > now(), false) as is_watched from request_logs
    where mode = 'metadata' and proxy_id = any(${ids}) order by proxy_id for update`;
}

async function insertRequests(sql: AnySql, entries: ProxyRequests['entries']): Promise<void> {
  const full = await sql<{ proxyId: string }[]>`
    with added as (
      insert into requests (proxy_id, request_id, at, method, path, status, duration, bytes_in, bytes_out, network, agent,
        reason, rule)
      select "proxyId", "requestId", to_timestamp(at / 1000.0), method, path, status, duration, "bytesIn", "bytesOut", network, agent, reason, rule
      from jsonb_to_recordset(${sql.json([...entries])}) as one ("proxyId" uuid, "requestId" text, at bigint,
        method text, path text, status smallint, duration integer, "bytesIn" bigint, "bytesOut" bigint, network text,
        agent text, reason text, rule smallint)
      where to_timestamp(at / 1000.0) >= (select since from request_logs where request_logs.proxy_id = "proxyId")
      on conflict (proxy_id, request_id) do nothing returning proxy_id),
    counts as (select proxy_id, count(*)::integer as count from added group by proxy_id)
    update request_logs set stored = stored + count from counts
    where request_logs.proxy_id = counts.proxy_id
    returning case when stored > ${mostLoggedRequests} then request_logs.proxy_id end as proxy_id`;
  for (const { proxyId } of full) if (proxyId) await makeRoom(sql, proxyId);
}

async function makeRoom(sql: AnySql, proxyId: string): Promise<void> {
  await sql`
    with oldest as (
      select at, id from requests where proxy_id = ${proxyId}
      order by at desc, id desc offset ${mostLoggedRequests - roomMade} limit 1),
    gone as (
      delete from requests using oldest
      where proxy_id = ${proxyId} and (requests.at, requests.id) <= (oldest.at, oldest.id))
    update request_logs set stored = ${mostLoggedRequests - roomMade} where proxy_id = ${proxyId}`;
}

async function addMissed(
  sql: AnySql,
  counts: readonly { readonly proxyId: string; readonly count: number }[],
): Promise<void> {
  await sql`
    insert into missed_requests (proxy_id, hour, count)
    select "proxyId", date_trunc('hour', now()), sum(count)
    from jsonb_to_recordset(${sql.json([...counts])}) as one ("proxyId" uuid, count bigint)
    group by 1 order by 1
    on conflict (proxy_id, hour) do update set count = missed_requests.count + excluded.count`;
}
