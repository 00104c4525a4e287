import type { AnySql, Sql } from '@talpa/service-kit/database/sql';
import type { RegisterRequest } from './protocol/registration.ts';

/** Rows of an edge that has been silent for so long are removed; before that they no longer count (`epoch.ts`). */
const deadSeconds = 15;
/** Connections of all connectors of a tunnel together. */
export const maximumPerTunnel = 100;

/** A connection to be shown by the API. */
export interface OpenedConnection extends RegisterRequest {
  readonly id: string;
  readonly edgeId: string;
  readonly location: string;
  readonly originIp: string;
}

/** A connector that takes the place of a connection of its own replaces that one's row. */
export async function insertConnection(tx: AnySql, one: OpenedConnection): Promise<void> {
  await tx`
    delete from tunnel_provider.connections
    where tunnel_id = ${one.tunnelId} and client_id = ${one.connectorId} and conn_index = ${one.index}`;
  await tx`
    insert into tunnel_provider.connections (id, tunnel_id, client_id, client_version, arch, features, colo_name,
      origin_ip, run_at, edge_id, conn_index)
    values (${one.id}, ${one.tunnelId}, ${one.connectorId}, ${one.version}, ${one.arch},
      ${tx.array([...one.features], 25)}, ${one.location}, ${one.originIp},
      coalesce((select min(run_at) from tunnel_provider.connections
        where tunnel_id = ${one.tunnelId} and client_id = ${one.connectorId}), now()),
      ${one.edgeId}, ${one.index})`;
  await tx`
    update tunnel_provider.tunnels set conns_active_at = coalesce(conns_active_at, now()), conns_inactive_at = null
    where id = ${one.tunnelId}`;
}

/** Removes a connection's row; a tunnel without any is down from now on. */
export async function removeConnection(sql: Sql, tunnelId: string, id: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select 1 from tunnel_provider.tunnels where id = ${tunnelId} for update`;
    await tx`delete from tunnel_provider.connections where id = ${id}`;
    await markInactive(tx, [tunnelId]);
  });
}

/** Tunnels without any connection are down from now on. To be called where their rows are locked. */
const markInactive = (tx: AnySql, tunnelIds: readonly string[]) =>
  tx`select tunnel_provider.mark_inactive(${tx.array([...tunnelIds], 2950)})`;

/** The tunnels an edge holds connections of, locked, in the order in which all transactions lock them. */
async function lockHeldBy(tx: AnySql, edgeId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from tunnel_provider.tunnels
    where id in (select tunnel_id from tunnel_provider.connections where edge_id = ${edgeId})
    order by id for update`;
  return rows.map(({ id }) => id);
}

/** Stores that an edge lives: what it holds counts, again if need be. @returns the tunnels' ids */
export async function storeEpoch(sql: Sql, edgeId: string): Promise<string[]> {
  return sql.begin(async (tx) => {
    const ids = await lockHeldBy(tx, edgeId);
    await tx`
      insert into tunnel_provider.edge_epochs (id) values (${edgeId}) on conflict (id) do update set lost_at = null`;
    await tx`
      update tunnel_provider.tunnels set conns_active_at = coalesce(conns_active_at, now()), conns_inactive_at = null
      where id = any(${tx.array(ids, 2950)})`;
    return ids;
  });
}

/**
 * Stores that an edge has died or hangs: what it holds counts no longer. The rows stay, since an edge that only
 * hung may go on. @returns the tunnels' ids; null when somebody else has stored it
 */
export async function loseEpoch(sql: Sql, edgeId: string): Promise<string[] | null> {
  return sql.begin(async (tx) => {
    const ids = await lockHeldBy(tx, edgeId);
    const { count } = await tx`
      update tunnel_provider.edge_epochs set lost_at = now() where id = ${edgeId} and lost_at is null`;
    if (count === 0) return null;
    await markInactive(tx, ids);
    return ids;
  });
}

/** An edge has ended in order. */
export async function removeEpoch(sql: Sql, edgeId: string): Promise<void> {
  await sql`delete from tunnel_provider.edge_epochs where id = ${edgeId}`;
}

/** Those of the connections that have no row any more. */
export async function findGone(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from tunnel_provider.connections where id = any(${sql.array([...ids], 2950)})`;
  const kept = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !kept.has(id));
}

/** Says that this edge lives, and gives the ids of the connections it may hold. */
export async function confirmConnections(sql: Sql, edgeId: string): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    update tunnel_provider.connections set seen_at = now() where edge_id = ${edgeId} returning id`;
  return new Set(rows.map(({ id }) => id));
}

/** Removes what edges held that have died. @returns the tunnels' ids */
export async function removeDead(sql: Sql): Promise<string[]> {
  const isDead = sql`edge_id is not null and seen_at < now() - make_interval(secs => ${deadSeconds})`;
  const found = await sql<{ tunnelId: string }[]>`
    select distinct tunnel_id from tunnel_provider.connections where ${isDead} order by tunnel_id`;
  const ids = found.map(({ tunnelId }) => tunnelId);
  // None that has rows: an edge that hung may come back for them.
  await sql`
    delete from tunnel_provider.edge_epochs where lost_at < now() - interval '1 hour'
      and not exists (select 1 from tunnel_provider.connections where edge_id = edge_epochs.id)`;
  if (ids.length === 0) return ids;
  await sql.begin(async (tx) => {
    await tx`select 1 from tunnel_provider.tunnels where id = any(${tx.array(ids, 2950)}) order by id for update`;
    await tx`delete from tunnel_provider.connections where ${isDead} and tunnel_id = any(${tx.array(ids, 2950)})`;
    await markInactive(tx, ids);
  });
  return ids;
}

/** Takes down that a connector works with a version of the configuration. */
export async function storeConfigVersion(sql: Sql, id: string, version: number): Promise<void> {
  await sql`update tunnel_provider.connections set config_version = ${version} where id = ${id}`;
}

/** Everything an edge held: it stops. @returns the tunnels' ids */
export async function removeConnections(sql: Sql, edgeId: string): Promise<string[]> {
  return sql.begin(async (tx) => {
    const ids = await lockHeldBy(tx, edgeId);
    await tx`delete from tunnel_provider.connections where edge_id = ${edgeId}`;
    await markInactive(tx, ids);
    return ids;
  });
}
