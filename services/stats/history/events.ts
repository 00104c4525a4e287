import type { AuditAction, AuditTarget, InternalCalls, ProxyEvent, Verb } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { type AuditTableRow, keyOf, otherActorOf, targetOf } from '../audit/sql.ts';
import type { StatsContext } from '../context.ts';

/**
 * What was done to a proxy and how its connector came and went, the newest first; what concerns the tunnel that it shares, too. Who asks may
 * see the proxy.
 */
export const readEvents: Verb<InternalCalls['stats.readEvents'], StatsContext> = async (
  { sql },
  { id, proxyId, serverId, userId, limit },
) => {
  const asked = { userId, limit };
  const deeds = await readDeeds(sql, asked, 'proxy', [id]);
  const ofServer =
    serverId === undefined
      ? []
      : await readDeeds(sql, asked, 'server', [serverId], ['server.recreate', 'server.readToken']);
  return newest([...deeds, ...ofServer, ...(await readTurns(sql, proxyId, limit))], limit);
};

/** The same of a server: what was done to it, and to its tunnel by way of a proxy. */
export const readServerEvents: Verb<InternalCalls['stats.readServerEvents'], StatsContext> = async (
  { sql },
  { serverId, proxies, userId, limit },
) => {
  const asked = { userId, limit };
  const ids = proxies.map(({ id }) => id);
  const deeds = await readDeeds(sql, asked, 'server', [serverId]);
  const ofTunnel = await readDeeds(sql, asked, 'proxy', ids, ['proxy.recreateTunnel', 'proxy.readToken']);
  // They have one connector.
  const [first] = proxies;
  const turns = first ? await readTurns(sql, first.proxyId, limit) : [];
  return newest([...deeds, ...ofTunnel, ...turns], limit);
};

const newest = (events: ProxyEvent[], limit: number) =>
  events.sort((a, b) => b.at.localeCompare(a.at)).slice(0, limit);

interface Asked {
  readonly userId: number;
  readonly limit: number;
}

/** @param only such actions; left out: all */
async function readDeeds(
  sql: AnySql,
  { userId, limit }: Asked,
  kind: AuditTarget['kind'],
  ids: readonly number[],
  only?: readonly AuditAction[],
): Promise<ProxyEvent[]> {
  const rows = await sql<AuditTableRow[]>`
    select audit.*, users.username as actor_username from audit left join users on users.user_id = actor_user_id
    where target_kind = ${kind} and target_id in ${sql(['', ...ids.map(String)])}
      ${only ? sql`and action in ${sql(only)}` : sql``}
    order by at desc, id desc limit ${limit}`;
  return rows
    .map((row) => ({ row, by: row.actorUserId === userId ? ('owner' as const) : otherActorOf(row) }))
    .map(({ row, by }) => ({
      kind: 'deed',
      id: row.id,
      at: row.at.toISOString(),
      action: row.action,
      target: targetOf(row),
      changes: row.changes,
      by,
      byName: by === 'member' ? row.actorUsername : null,
      keyName: by === 'owner' ? (keyOf(row)?.name ?? null) : null,
    }));
}

/** When a connector came, and when it went again; that one has not come yet is no event. */
export async function readTurns(sql: AnySql, proxyId: string, limit: number): Promise<ProxyEvent[]> {
  const rows = await sql<{ at: Date; state: 'up' | 'down' }[]>`
    select at, state from (
      select at, version, state, lag(state) over (order by version) as before
      from states where proxy_id = ${proxyId} and state in ('up', 'down')) known
    where (state = 'up') <> coalesce(before = 'up', false)
    order by version desc limit ${limit}`;
  return rows.map(({ at, state }) => ({
    kind: 'connector',
    at: at.toISOString(),
    connected: state === 'up',
  }));
}
