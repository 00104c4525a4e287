import type {
  AppliedProxy,
  EventOf,
  Measured,
  Membership,
  ProxyConfig,
  RequestLogMode,
  StatusReason,
  TunnelHealth,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { columns, type Sql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { type EntryColumns, enteredIn, entriesOf, entryColumns } from './entries.ts';
import { ownSuspensionOf, type Suspensions, suspensionOf } from './suspension.ts';

export interface ProxyRow extends EntryColumns, Suspensions {
  id: number;
  uuid: string;
  serverId: number;
  serverUuid: string;
  /** The server whose tunnel serves it until that of its own one does; null: it has not just moved. */
  movedFrom: number | null;
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
  /** Both as the server's: for the previous version. */
  incarnation: number;
  lastIncarnation: number;
  removedAt: Date | null;
  appliedGeneration: number;
  applied: AppliedProxy | null;
  /** What the applied state was made from, so that a refused edit can be undone; an older row's lack newer entries. */
  appliedEntries: Partial<EntryColumns> | null;
  awaitedUntil: Date | null;
  restoring: boolean;
  /** The users who are members. */
  memberIds: readonly number[];
  requestLog: RequestLogMode;
}

/** Whether the provider does not have the desired state yet. */
export const lags = (row: Pick<ProxyRow, 'generation' | 'appliedGeneration'>) =>
  row.generation > row.appliedGeneration;

const shownColumns = [
  ...(['id', 'userId', 'ownerName', 'serverId', 'proxyPort', 'hostname', 'createdAt'] as const),
  ...(['status', 'statusReason', 'generation', 'appliedGeneration', 'applied'] as const),
  ...(['tunnelHealth', 'tunnelHealthAt'] as const),
  ...(['suspendedAt', 'suspensionReason', 'ownerSuspendedAt', 'ownerSuspensionReason'] as const),
] satisfies readonly (keyof ProxyRow)[];
/** What is read of a row that is only shown; half of a long list's time would go into the rest. */
export type ShownRow = EntryColumns & Pick<ProxyRow, (typeof shownColumns)[number]>;
export const publicColumns = (sql: Sql) => sql`${sql([...entryColumns, ...shownColumns])}`;

/**
 * A proxy as the API shows it to its owner and administrators, or to a member. While an edit is pending its old address goes on serving.
 * Whether members and limited keys may read the token, `withTokenRights` says.
 */
export function publicProxy(row: ShownRow, membership: Membership | null = null): ProxyConfig {
  return {
    id: row.id,
    userId: row.userId,
    ownerName: row.ownerName,
    ...entriesOf(row),
    proxyPort: row.proxyPort,
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
    serverId: row.serverId,
    mayReadToken: membership === null,
    membership,
  };
}

/** What a row keeps from its first to its last version. */
type Fixed = 'id' | 'uuid' | 'userId' | 'ownerName' | 'proxyPort' | 'createdAt';

/**
 * Stores every field that may change, raises the version and publishes the row. A raised generation counts as
 * enqueued: a caller that raises it enqueues a job for the worker. @returns the row as it is stored
 */
export async function saveProxy(tx: Tx, row: ProxyRow): Promise<ProxyRow> {
  const { sql } = tx;
  const changedAt = new Date();
  const changing = {
    ...enteredIn(row),
    serverId: row.serverId,
    serverUuid: row.serverUuid,
    movedFrom: row.movedFrom,
    hostname: row.hostname,
    version: row.version + 1,
    changedAt,
    status: row.status,
    statusReason: row.statusReason,
    tunnelHealth: row.tunnelHealth,
    tunnelHealthAt: sql`case when tunnel_health is distinct from ${row.tunnelHealth} then ${changedAt} else tunnel_health_at end`,
    generation: row.generation,
    incarnation: row.incarnation,
    lastIncarnation: row.lastIncarnation,
    removedAt: row.removedAt,
    appliedGeneration: row.appliedGeneration,
    applied: row.applied && sql.json({ ...row.applied }),
    appliedEntries: row.appliedEntries && sql.json({ ...row.appliedEntries }),
    awaitedUntil: row.awaitedUntil,
    restoring: row.restoring,
    suspendedAt: row.suspendedAt,
    suspensionReason: row.suspensionReason,
    ownerSuspendedAt: row.ownerSuspendedAt,
    ownerSuspensionReason: row.ownerSuspensionReason,
    memberIds: sql.json([...row.memberIds]),
    requestLog: row.requestLog,
  } satisfies Record<Exclude<keyof ProxyRow, Fixed>, unknown>;
  const [stored] = await sql<(ProxyRow & Published)[]>`
    update proxies set ${columns(sql, changing)},
      woken_at = case when generation < ${row.generation} then now() else woken_at end
    where id = ${row.id} returning *, (
      select coalesce(jsonb_agg(user_id), '[]') from members
      where proxy_id = proxies.id and joined_at is null and user_id is not null) as invited_ids,
      (select name from servers where id = proxies.server_id) as name_of_server`;
  // Callers have locked it.
  if (!stored) throw new AppError('internal');
  const { invitedIds, nameOfServer, ...saved } = stored;
  await emitProxy(tx, saved, { invitedIds, nameOfServer });
  return saved;
}

/** What a snapshot says beside its row. */
interface Published {
  readonly invitedIds: readonly number[];
  readonly nameOfServer: string;
}

/**
 * Publishes a proxy's public state, and its new state to stats, once for each version. Invalidates its owner's cache.
 * @param published left out: the proxy is new, as its server is
 */
export async function emitProxy(
  tx: Tx,
  row: ProxyRow,
  { invitedIds, nameOfServer }: Published = { invitedIds: [], nameOfServer: row.serverName },
): Promise<void> {
  await tx.emit('proxy', { ...snapshotOf(row, nameOfServer), invitedIds: [...invitedIds] });
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
export function snapshotOf(row: ProxyRow, nameOfServer: string): EventOf<'proxy'> {
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
    server: { id: row.serverUuid, name: nameOfServer },
    changedAt: row.changedAt.toISOString(),
    version: row.version,
    deleted: row.removedAt !== null,
  };
}

/** Requests that the worker reconciles a server; at once, before those nobody waits for, when it is `urgent`. */
export async function wakeWorker(tx: Tx, serverUuid: string, { urgent = false } = {}): Promise<void> {
  await tx.command('tunnel-worker.enqueue', { serverId: serverUuid, proxyId: serverUuid, urgent });
}
