import type { NotificationContent } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { insertNotifications } from '../inbox/insert.ts';
import { type ReadProxy, toReaders } from '../proxies/readers.ts';

/** What was heard longer ago may be over: nobody has visited since. */
const fresh = '5 minutes';
const batch = 200;

interface Origin extends ReadProxy {
  readonly uuid: string;
  readonly proxyId: number;
  readonly serverName: string;
  readonly unreachableSince: Date;
  readonly backAt: Date | null;
}

/**
 * Notifies owners and members once of each admin panel that does not respond although its connector is connected, and once when it does
 * again. What is suspended or paused is no outage.
 */
export async function notifyOrigins(tx: Tx): Promise<void> {
  const { sql } = tx;
  // The version before says a tunnel, and knows none that proxies share.
  const isTheirs = sql`(proxies.uuid = origins.tunnel_id::uuid or proxies.tunnel_id = origins.tunnel_id) and not proxies.deleted`;
  const columns = sql`uuid, proxies.user_id, member_ids, proxy_id, server_name`;
  const lost = await sql<Origin[]>`
    update origins set lost_notified_at = now()
    from proxies left join users on users.user_id = proxies.user_id
    where ${isTheirs}
      and origins.tunnel_id in (
        select tunnel_id from origins
        where unreachable_since is not null and lost_notified_at is null and heard_at > now() - ${fresh}::interval
        limit ${batch} for update skip locked)
      and is_connected and proxies.is_suspended is not true and not proxies.is_paused and users.is_suspended is not true
    returning ${columns}, unreachable_since`;
  const back = await sql<Origin[]>`
    with found as (
      select tunnel_id, unreachable_since, back_at from origins where back_at is not null limit ${batch} for update skip locked),
    ended as (
      update origins set unreachable_since = null, lost_notified_at = null, back_at = null
      from found where origins.tunnel_id = found.tunnel_id)
    select ${columns}, unreachable_since, origins.back_at from found as origins join proxies on ${isTheirs}`;
  const notify = (origin: Origin, content: NotificationContent) => toReaders([origin], () => content);
  const named = ({ proxyId, serverName }: Origin) => ({ proxyId, proxy: serverName });
  await insertNotifications(tx, [
    ...lost.flatMap((origin) =>
      notify(origin, {
        kind: 'origin_lost',
        params: { ...named(origin), lostAt: origin.unreachableSince.toISOString() },
      }),
    ),
    ...back.flatMap((origin) => {
      const at = origin.backAt ?? new Date();
      const awaySeconds = Math.max(0, Math.round((at.getTime() - origin.unreachableSince.getTime()) / 1_000));
      return notify(origin, { kind: 'origin_back', params: { ...named(origin), awaySeconds } });
    }),
  ]);
}
