import type { AnySql } from '@talpa/service-kit/database/sql';
import { ApiError } from '../api/errors.ts';
import type { ProviderContext } from '../api/operation.ts';
import { connectorToken } from './secret.ts';

export interface TunnelRow {
  id: string;
  name: string;
  configSrc: 'cloudflare' | 'local';
  secret: Buffer;
  keyId: string;
  createdAt: Date;
  deletedAt: Date | null;
  connsActiveAt: Date | null;
  connsInactiveAt: Date | null;
  /** How many connections connectors hold open now. */
  connectionCount: number;
}

/** A connector holds four; with fewer, some have failed. */
const fullConnections = 4;

/** All tunnels with what is needed to show them; to be selected from. */
export const tunnelsWithConnections = (sql: AnySql) => sql`
  (select *, (select count(*)::integer from live_connections where tunnel_id = tunnels.id) as connection_count
   from tunnels) as tunnel`;

/** @throws ApiError `tunnelNotFound`, for a deleted one too unless it is asked for. */
export async function findTunnel(
  sql: AnySql,
  id: string,
  options: { readonly deleted?: boolean; readonly lock?: boolean } = {},
): Promise<TunnelRow> {
  if (options.lock) await lockTunnel(sql, id);
  const [row] = await sql<TunnelRow[]>`select * from ${tunnelsWithConnections(sql)} where id = ${id}`;
  if (!row || (row.deletedAt && !options.deleted)) throw new ApiError('tunnelNotFound');
  return row;
}

/** Holds a tunnel until the transaction ends. @throws ApiError `tunnelNotFound`, for a deleted one too. */
export async function lockTunnel(sql: AnySql, id: string): Promise<void> {
  const { count } = await sql`select 1 from tunnels where id = ${id} and deleted_at is null for update`;
  if (count === 0) throw new ApiError('tunnelNotFound');
}

/** `inactive`: never connected; `down`: connected once, now not. */
function statusOf(row: TunnelRow): 'inactive' | 'degraded' | 'healthy' | 'down' {
  if (row.connectionCount >= fullConnections) return 'healthy';
  if (row.connectionCount > 0) return 'degraded';
  return row.connsActiveAt || row.connsInactiveAt ? 'down' : 'inactive';
}

/** The same as an SQL condition's value. */
export const statusSql = (sql: AnySql) => sql`
  case when connection_count >= ${fullConnections} then 'healthy' when connection_count > 0 then 'degraded'
    when conns_active_at is not null or conns_inactive_at is not null then 'down' else 'inactive' end`;

/** A tunnel as the API shows it. Never its secret. */
export function tunnelView(row: TunnelRow, accountId: string) {
  // Null means active: what was never connected has been inactive from the beginning.
  const inactiveAt = row.connsInactiveAt ?? (row.connsActiveAt ? null : row.createdAt);
  return {
    id: row.id,
    account_tag: accountId,
    created_at: row.createdAt.toISOString(),
    deleted_at: row.deletedAt?.toISOString() ?? null,
    name: row.name,
    connections: [],
    conns_active_at: row.connsActiveAt?.toISOString() ?? null,
    conns_inactive_at: inactiveAt?.toISOString() ?? null,
    tun_type: 'cfd_tunnel',
    metadata: {},
    status: statusOf(row),
    remote_config: row.configSrc === 'cloudflare',
    config_src: row.configSrc,
  };
}

/** The response to who has just made or changed a secret: the only views that hold one. */
export function tunnelViewWithSecret(row: TunnelRow, secret: Buffer, { accountId }: ProviderContext) {
  return {
    ...tunnelView(row, accountId),
    credentials_file: {
      AccountTag: accountId,
      TunnelID: row.id,
      TunnelName: row.name,
      TunnelSecret: secret.toString('base64'),
    },
    token: connectorToken(accountId, row.id, secret),
  };
}

/** Postgres says that a living tunnel has this name already. */
export function isNameTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint_name' in error && error.constraint_name === 'tunnels_by_name';
}
