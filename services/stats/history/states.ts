import type { ProxyState } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Reader } from '../proxies/readers.ts';

/**
 * Keeps what proxies were from a moment on, whose they are and which tunnels were theirs first; once, however often the
 * message comes.
 * @returns whose history has gone on
 */
export async function keepStates(sql: AnySql, states: readonly ProxyState[]): Promise<Reader[]> {
  const incoming = states.map((state) => ({ memberIds: [], ...state, meaning: meaningOf(state) }));
  // In one order everywhere, so that two writers never wait for each other.
  return sql<Reader[]>`
    with incoming as (
      select * from jsonb_to_recordset(${sql.json(incoming)}) as one ("proxyId" uuid, id bigint, "userId" bigint,
        "memberIds" jsonb, version integer, at timestamptz, meaning text, "tunnelId" text)),
    kept as (
      insert into states (proxy_id, version, at, state)
      select "proxyId", version, at, meaning from incoming order by 1, 2
      on conflict (proxy_id, version) do nothing returning proxy_id),
    theirs as (
      insert into tunnels (tunnel_id, proxy_id)
      select distinct "tunnelId", "proxyId" from incoming where "tunnelId" is not null order by 1
      on conflict (tunnel_id) do nothing),
    whose as (
      insert into owners (proxy_id, id, user_id, member_ids, version)
      select distinct on ("proxyId") "proxyId", id, "userId", "memberIds", version from incoming
      order by "proxyId", version desc
      on conflict (proxy_id) do update set member_ids = excluded.member_ids, version = excluded.version
      where owners.version < excluded.version)
    select distinct id, reader as user_id from incoming join kept on proxy_id = "proxyId"
      cross join lateral (
        select "userId" union select jsonb_array_elements("memberIds")::bigint) as readers (reader)`;
}

/** What visitors have of a proxy. One that is being set up, or paused, is neither up nor down. */
function meaningOf({ status, paused, deleted }: ProxyState): 'up' | 'down' | 'unknown' | 'gone' {
  if (deleted) return 'gone';
  if (status === 'pending' || paused) return 'unknown';
  return status === 'active' ? 'up' : 'down';
}
