import type {
  AppliedTunnel,
  EventOf,
  Measured,
  Membership,
  ProxyConfig,
  RequestLogMode,
  StatusReason,
  TunnelHealth,
} from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { ownSuspensionOf, type Suspensions, suspensionOf } from './suspension.ts';

/** What a user enters; kept with the applied state so that a refused edit can be undone. */
interface Entries {
  readonly serverName: string;
  readonly serverIp: string;
  readonly adminPort: number;
  readonly customUrl: string | null;
}

export interface ProxyRow extends Entries, Suspensions {
  id: number;
  uuid: string;
  userId: number;
  /** Null while it is not known. */
  ownerName: string | null;
  hostname: string;
  proxyPort: number;
  createdAt: Date;
  /** Since when this version holds. */
  changedAt: Date;
  version: number;
  status: ProxyConfig['status'];
  statusReason: StatusReason | null;
  tunnelHealth: TunnelHealth | null;
  /** Since when. */
  tunnelHealthAt: Date | null;
  generation: number;
  incarnation: number;
  lastIncarnation: number;
  removedAt: Date | null;
  appliedGeneration: number;
  applied: AppliedTunnel | null;
  appliedEntries: Entries | null;
  awaitedUntil: Date | null;
  restoring: boolean;
  /** The users who are members. */
  memberIds: readonly number[];
  requestLog: RequestLogMode;
}

/** Whether the provider does not have the desired state yet. */
export const lags = (row: Pick<ProxyRow, 'generation' | 'appliedGeneration'>) =>
  row.generation > row.appliedGeneration;

/** What is read of a row that is only shown; half of a long list's time would go into the rest. */
export type ShownRow = Omit<
  ProxyRow,
  | 'uuid'
  | 'changedAt'
  | 'version'
  | 'incarnation'
  | 'lastIncarnation'
  | 'removedAt'
  | 'appliedEntries'
  | 'awaitedUntil'
  | 'restoring'
  | 'memberIds'
  | 'requestLog'
>;
export const publicColumns = (sql: Sql) => sql`
  id, user_id, owner_name, server_name, server_ip, admin_port, proxy_port, custom_url, hostname, created_at,
  status, status_reason, generation, applied_generation, applied, tunnel_health, tunnel_health_at,
  suspended_at, suspension_reason, owner_suspended_at, owner_suspension_reason`;

/** A proxy as the API shows it to its owner and administrators, or to a member. While an edit is pending its old address goes on serving. */
export function publicProxy(row: ShownRow, membership: Membership | null = null): ProxyConfig {
  return {
    id: row.id,
    userId: row.userId,
    ownerName: row.ownerName,
    serverName: row.serverName,
    serverIP: row.serverIp,
    adminPort: row.adminPort,
    proxyPort: row.proxyPort,
    customUrl: row.customUrl,
    createdAt: row.createdAt.toISOString(),
    status: row.status,
    statusReason: row.statusReason,
    changePending: row.applied !== null && lags(row),
    tunnelHealth: row.tunnelHealth,
    tunnelHealthAt: row.tunnelHealthAt?.toISOString() ?? null,
    cfTunnelId: row.applied?.tunnelId ?? null,
    cfDnsRecordId: row.applied?.dnsRecordId ?? null,
    cfDomain: row.applied?.hostname ?? row.hostname,
    suspension: suspensionOf(row),
    membership,
  };
}

/**
 * Stores every field that may change, raises the version and publishes the row. A raised generation counts as
 * enqueued: a caller that raises it enqueues a job for the worker.
 */
export async function saveProxy(tx: Tx, row: ProxyRow): Promise<ProxyRow> {
  const next = { ...row, version: row.version + 1, changedAt: new Date() };
  const [stored] = await tx.sql<(Pick<ProxyRow, 'tunnelHealthAt'> & { invitedIds: number[] })[]>`
    update proxies set
      server_name = ${row.serverName}, server_ip = ${row.serverIp}, admin_port = ${row.adminPort},
      custom_url = ${row.customUrl}, hostname = ${row.hostname}, version = ${next.version},
      woken_at = case when generation < ${row.generation} then now() else woken_at end,
      changed_at = ${next.changedAt},
      status = ${row.status}, status_reason = ${row.statusReason},
      tunnel_health_at = case when tunnel_health is distinct from ${row.tunnelHealth} then ${next.changedAt}
        else tunnel_health_at end, tunnel_health = ${row.tunnelHealth}, generation = ${row.generation},
      incarnation = ${row.incarnation}, last_incarnation = ${row.lastIncarnation},
      removed_at = ${row.removedAt}, applied_generation = ${row.appliedGeneration},
      applied = ${row.applied && tx.sql.json({ ...row.applied })},
      applied_entries = ${row.appliedEntries && tx.sql.json({ ...row.appliedEntries })},
      awaited_until = ${row.awaitedUntil}, restoring = ${row.restoring},
      suspended_at = ${row.suspendedAt}, suspension_reason = ${row.suspensionReason},
      owner_suspended_at = ${row.ownerSuspendedAt}, owner_suspension_reason = ${row.ownerSuspensionReason},
      member_ids = ${tx.sql.json([...row.memberIds])},
      request_log = ${row.requestLog}
    where id = ${row.id} returning tunnel_health_at, (
      select coalesce(jsonb_agg(user_id), '[]') from members
      where proxy_id = proxies.id and joined_at is null and user_id is not null) as invited_ids`;
  const { invitedIds = [], ...times } = stored ?? {};
  const saved = { ...next, ...times };
  await emitProxy(tx, saved, invitedIds);
  return saved;
}

/** Publishes a proxy's public state, and its new state to stats, once for each version. Invalidates its owner's cache. */
export async function emitProxy(tx: Tx, row: ProxyRow, invitedIds: readonly number[] = []): Promise<void> {
  await tx.emit('proxy', { ...snapshotOf(row), invitedIds: [...invitedIds] });
  await tx.measure(stateOf(row));
  tx.invalidate(row.userId);
}

/** What the statistics receive: every version, where others need the last one alone. */
export function stateOf(row: ProxyRow): Measured {
  const { id, userId, version, status } = row;
  return {
    kind: 'state',
    state: {
      proxyId: row.uuid,
      id,
      userId,
      memberIds: [...row.memberIds],
      version,
      at: row.changedAt.toISOString(),
      status,
      tunnelId: row.applied?.tunnelId ?? null,
      deleted: row.removedAt !== null,
      requestLog: row.requestLog,
    },
  };
}

/** What others may know of a proxy. */
export function snapshotOf(row: ProxyRow): EventOf<'proxy'> {
  return {
    id: row.uuid,
    proxyId: row.id,
    userId: row.userId,
    memberIds: [...row.memberIds],
    serverName: row.serverName,
    hostname: row.hostname,
    status: row.status,
    statusReason: row.statusReason,
    suspension: ownSuspensionOf(row),
    tunnelHealth: row.tunnelHealth,
    createdAt: row.createdAt.toISOString(),
    tunnelId: row.applied?.tunnelId ?? null,
    changedAt: row.changedAt.toISOString(),
    version: row.version,
    deleted: row.removedAt !== null,
  };
}

/** Requests that the worker reconciles a proxy; at once, before those nobody waits for, when it is `urgent`. */
export async function wakeWorker(tx: Tx, uuid: string, { urgent = false } = {}): Promise<void> {
  await tx.command('tunnel-worker.enqueue', { proxyId: uuid, urgent });
}
