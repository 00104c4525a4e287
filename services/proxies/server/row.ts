import type { AppliedTunnel, ServerKind, TunnelHealth } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { columns } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type postgres from 'postgres';
import type { ProxyRow } from '../proxy/row.ts';

export interface ServerRow {
  id: number;
  uuid: string;
  userId: number;
  name: string;
  kind: ServerKind;
  createdAt: Date;
  /** Since when somebody who is not its owner has had the token. */
  tokenSharedAt: Date | null;
  version: number;
  generation: number;
  incarnation: number;
  lastIncarnation: number;
  removedAt: Date | null;
  appliedGeneration: number;
  applied: AppliedTunnel | null;
  tunnelHealth: TunnelHealth | null;
  tunnelHealthAt: Date | null;
}

export interface LockedProxy extends ProxyRow {
  readonly hasDomains: boolean;
}

/** A server and all of its proxies that are not gone at the provider yet, held until the transaction ends. What changes them keeps it right. */
export interface LockedServer {
  server: ServerRow;
  proxies: LockedProxy[];
}

/**
 * Holds servers with their proxies. All transactions hold users, servers and proxies in this order, each by id.
 * @param which a condition on `servers`
 */
export async function lockServers(
  { sql }: Tx,
  which: postgres.PendingQuery<postgres.Row[]>,
): Promise<LockedServer[]> {
  const servers = await sql<ServerRow[]>`select * from servers where ${which} order by id for update`;
  if (servers.length === 0) return [];
  const proxies = await sql<LockedProxy[]>`
    select *, exists (select 1 from domains where proxy_id = proxies.id) as has_domains
    from proxies where server_id in ${sql(servers.map(({ id }) => id))} order by id for update`;
  return servers.map((server) => ({
    server,
    proxies: proxies.filter(({ serverId }) => serverId === server.id),
  }));
}

/** What a row keeps from its first to its last version. */
type Fixed = 'id' | 'uuid' | 'userId' | 'createdAt';

/**
 * Stores every field of a locked server that may change and raises the version. A raised generation counts as enqueued. Write the server
 * before its proxies, whose copies follow.
 */
export async function saveServer(
  { sql }: Tx,
  locked: LockedServer,
  changes: Partial<ServerRow>,
): Promise<void> {
  const row = { ...locked.server, ...changes };
  const changing = {
    name: row.name,
    kind: row.kind,
    tokenSharedAt: row.tokenSharedAt,
    version: row.version + 1,
    generation: row.generation,
    incarnation: row.incarnation,
    lastIncarnation: row.lastIncarnation,
    removedAt: row.removedAt,
    appliedGeneration: row.appliedGeneration,
    applied: row.applied && sql.json({ ...row.applied }),
    tunnelHealth: row.tunnelHealth,
    tunnelHealthAt: sql`case when tunnel_health is distinct from ${row.tunnelHealth} then now() else tunnel_health_at end`,
  } satisfies Record<Exclude<keyof ServerRow, Fixed>, unknown>;
  const [stored] = await sql<ServerRow[]>`
    update servers set ${columns(sql, changing)},
      woken_at = case when generation < ${row.generation} then now() else woken_at end
    where id = ${row.id} returning *`;
  if (!stored) throw new AppError('internal');
  locked.server = stored;
}
