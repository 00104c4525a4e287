import type { EventOf, NotificationContent } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runProjection } from '@talpa/service-kit/events/projection';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { insertNotifications, type NewNotification } from '../inbox/insert.ts';
import { isRecent, type NewEvent, orderInstallationDeliveries } from '../inbox/order-deliveries.ts';
import { limitOf } from '../plans/limit.ts';
import { type Presence, presenceAfter } from './presence.ts';
import { toReaders } from './readers.ts';

interface KnownProxy extends Presence {
  readonly serverName: string | null;
  readonly version: number;
  readonly deleted: boolean;
  readonly isSuspended: boolean | null;
  readonly hasError: boolean;
}

/** Keeps what proxies are, and notifies their owners of changes, and members of outages. */
export function followProxies(base: ServiceBase, lifecycle: Lifecycle): void {
  runProjection('notifications', 'proxy', storeProxy, base, lifecycle);
}

/** Compares a snapshot with what was known. The first snapshot of a proxy notifies of nothing. */
async function storeProxy(tx: Tx, proxy: EventOf<'proxy'>): Promise<void> {
  const [before] = await tx.sql<KnownProxy[]>`
    select version, deleted, server_name, is_suspended, has_error, is_connected, tunnel_id, away_since, lost_notified_at, back_at from proxies where uuid = ${proxy.id} for update`;
  if (before && (before.deleted || before.version >= proxy.version)) return;
  const isSuspended = proxy.suspension === undefined ? null : proxy.suspension !== null;
  const hasError = proxy.status === 'error' || (proxy.status === 'pending' && (before?.hasError ?? false));
  const presence = presenceAfter(proxy, before);
  const { count } = await tx.sql`
    insert into proxies (uuid, proxy_id, user_id, server_name, version, deleted, is_suspended, has_error,
      is_connected, tunnel_id, away_since, lost_notified_at, back_at, member_ids, server_uuid, server_label, is_paused)
    values (${proxy.id}, ${proxy.proxyId}, ${proxy.userId}, ${proxy.deleted ? null : proxy.serverName},
      ${proxy.version}, ${proxy.deleted}, ${isSuspended}, ${hasError}, ${presence.isConnected},
      ${presence.tunnelId}, ${presence.awaySince}, ${presence.lostNotifiedAt}, ${presence.backAt},
      ${tx.sql.json([...(proxy.memberIds ?? [])])}, ${proxy.server?.id ?? null}, ${proxy.server?.name ?? null},
      ${proxy.paused ?? false})
    on conflict (uuid) do update set
      server_name = excluded.server_name, version = excluded.version, deleted = excluded.deleted,
      is_suspended = coalesce(excluded.is_suspended, proxies.is_suspended), has_error = excluded.has_error,
      is_connected = excluded.is_connected, tunnel_id = excluded.tunnel_id,
      away_since = excluded.away_since, lost_notified_at = excluded.lost_notified_at, back_at = excluded.back_at,
      member_ids = excluded.member_ids, is_paused = excluded.is_paused,
      server_uuid = coalesce(excluded.server_uuid, proxies.server_uuid),
      server_label = case when excluded.deleted then null else coalesce(excluded.server_label, proxies.server_label) end
    where proxies.version < excluded.version`;
  if (count === 0) return;
  if (proxy.deleted) await tx.sql`delete from origins where tunnel_id = ${proxy.id}`;
  await orderInstallationDeliveries(tx, appearanceOf(proxy, before));
  if (proxy.deleted) return;
  if (before) await insertNotifications(tx, changesOf(proxy, before, { isSuspended, hasError }));
  else if (proxy.version === 1) await notifyLimit(tx, proxy);
}

/** That a proxy is new, or gone. */
function appearanceOf(proxy: EventOf<'proxy'>, before: KnownProxy | undefined): NewEvent[] {
  const { proxyId, userId, createdAt } = proxy;
  const event = (kind: 'proxy_created' | 'proxy_deleted', name: string): NewEvent => ({
    userId,
    content: { kind, params: { proxyId, proxy: name } },
  });
  // A tombstone has no name.
  if (proxy.deleted) return before ? [event('proxy_deleted', before.serverName ?? '')] : [];
  return !before && isRecent(createdAt) ? [event('proxy_created', proxy.serverName)] : [];
}

function changesOf(
  proxy: EventOf<'proxy'>,
  before: KnownProxy,
  now: Pick<KnownProxy, 'isSuspended' | 'hasError'>,
): NewNotification[] {
  const { userId, memberIds = [], statusReason, suspension } = proxy;
  const about = { proxyId: proxy.proxyId, proxy: proxy.serverName };
  const contents: NotificationContent[] = [];
  const outages: NotificationContent[] = [];
  if (now.isSuspended && before.isSuspended === false)
    contents.push({ kind: 'proxy_suspended', params: { ...about, reason: suspension?.reason ?? '' } });
  if (now.isSuspended === false && before.isSuspended)
    contents.push({ kind: 'proxy_resumed', params: about });
  if (now.hasError && !before.hasError)
    outages.push({ kind: 'proxy_error', params: { ...about, statusReason } });
  if (!now.hasError && before.hasError) outages.push({ kind: 'proxy_recovered', params: about });
  return [
    ...contents.map((content) => ({ userId, content })),
    ...outages.flatMap((content) => toReaders([{ userId, memberIds }], () => content)),
  ];
}

/** A new proxy may have been the last that its owner's plan allows. */
async function notifyLimit(tx: Tx, { id, userId }: EventOf<'proxy'>): Promise<void> {
  const limit = await limitOf(tx.sql, userId);
  // With a single one nobody is surprised.
  if (limit === null || limit < 2) return;
  const [row] = await tx.sql<{ count: number }[]>`
    select count(*) from proxies where user_id = ${userId} and not deleted`;
  if (row?.count !== limit) return;
  const content = { kind: 'limit_reached', params: { limit } } as const;
  await insertNotifications(tx, [{ userId, cause: `limit_reached:${id}`, content }]);
}
