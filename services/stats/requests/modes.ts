import type { ProxyState } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';

/**
 * Takes over how proxies' requests are logged, where that is newer. What a log that is no longer kept held is deleted; that of
 * a deleted proxy stays off.
 */
export async function keepModes(sql: AnySql, states: readonly ProxyState[]): Promise<void> {
  const incoming = states.map(({ proxyId, version, at, deleted, requestLog = 'metadata' }) => ({
    proxyId,
    version,
    at,
    mode: deleted ? 'off' : requestLog,
  }));
  await sql`
    with incoming as (
      select distinct on ("proxyId") "proxyId", version, at, mode
      from jsonb_to_recordset(${sql.json(incoming)}) as one ("proxyId" uuid, version integer, at timestamptz, mode text)
      order by "proxyId", version desc)
    insert into request_logs (proxy_id, version, mode, since)
    select "proxyId", version, mode, at from incoming
    on conflict (proxy_id) do update set
      version = excluded.version, mode = excluded.mode,
      since = case when request_logs.mode = excluded.mode then request_logs.since else excluded.since end,
      stored = case when excluded.mode = 'metadata' then request_logs.stored else 0 end
    where request_logs.version < excluded.version`;
  const proxies = sql.array([...new Set(states.map(({ proxyId }) => proxyId))], 2950);
  for (const table of [sql`requests`, sql`missed_requests`])
    await sql`
      delete from ${table} where proxy_id in (
        select proxy_id from request_logs where proxy_id = any(${proxies}) and mode <> 'metadata')`;
}
