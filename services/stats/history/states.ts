import type { ProxyState } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Concerned } from './origin.ts';

/**
 * Keeps what proxies were from a moment on, whose they are and which tunnels are theirs; once, however often the
 * message comes.
 * @returns whose history has gone on
 */
export async function keepStates(sql: AnySql, states: readonly ProxyState[]): Promise<Concerned[]> {
  const incoming = states.map((state) => ({ ...state, meaning: meaningOf(state) }));
  // In one order everywhere, so that two writers never wait for each other.
  return sql<Concerned[]>`
    with incoming as (
      select * from jsonb_to_recordset(${sql.json(incoming)}) as one ("proxyId" uuid, id bigint, "userId" bigint,
        version integer, at timestamptz, meaning text, "tunnelId" text)),
    kept as (
      insert into states (proxy_id, version, at, state)
      select "proxyId", version, at, meaning from incoming order by 1, 2
      on conflict (proxy_id, version) do nothing returning proxy_id),
    theirs as (
      insert into tunnels (tunnel_id, proxy_id)
      select distinct "tunnelId", "proxyId" from incoming where "tunnelId" is not null order by 1
      on conflict (tunnel_id) do nothing),
    whose as (
      insert into owners (proxy_id, id, user_id)
      select distinct "proxyId", id, "userId" from incoming order by 1
      on conflict (proxy_id) do nothing)
    select distinct id, "userId" as user_id from incoming join kept on proxy_id = "proxyId"`;
}

/** What visitors have of a proxy. One that is being set up is neither up nor down. */
function meaningOf({ status, deleted }: ProxyState): 'up' | 'down' | 'unknown' | 'gone' {
  if (deleted) return 'gone';
  if (status === 'pending') return 'unknown';
  return status === 'active' ? 'up' : 'down';
}
