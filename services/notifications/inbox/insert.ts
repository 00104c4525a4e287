import { isForAdministrators, type NotificationContent, notificationKinds } from '@talpa/contracts';
import { jsonOf } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { orderDeliveries, orderInstallationDeliveries } from './order-deliveries.ts';
import { mailNotifications } from './order-mails.ts';

/** A notification that somebody is to get. */
export interface NewNotification {
  readonly userId: number;
  /** For what may be ordered twice: what has happened, in a word that nothing else has. What follows from a row that changes happens once. */
  readonly cause?: string;
  readonly content: NotificationContent;
  /** Another user is notified of the same: channels of the installation get it once. */
  readonly isCopy?: boolean;
}

/**
 * Puts notifications into inboxes, and into emails and channels of those who want that, each once however often its cause is seen. Nobody
 * gets what their preferences exclude, and nobody who is gone gets anything. Channels of the installation get all that happens to a user.
 */
export async function insertNotifications(tx: Tx, added: readonly NewNotification[]): Promise<void> {
  if (added.length === 0) return;
  // Ids of one user then come in the order of the commits: what comes later is never below what was seen.
  const userIds = [...new Set(added.map(({ userId }) => userId))].toSorted((a, b) => a - b);
  await tx.sql`select lock_transaction('inbox ' || user_id) from unnest(${userIds}::bigint[]) as user_id`;
  const rows = added.map(({ userId, cause, content: { kind, params } }) => ({
    userId,
    cause,
    kind,
    params,
    topic: notificationKinds[kind].topic,
  }));
  const inserted = await tx.sql<NewNotification[]>`
    insert into inbox (cause, user_id, kind, params)
    select coalesce(cause, gen_random_uuid()::text), "userId", kind, params
    from jsonb_to_recordset(${jsonOf(tx.sql, rows)}) as one (
      cause text, "userId" bigint, kind text, topic text, params jsonb)
      left join users on users.user_id = "userId"
    where (users.user_id is null or users.username is not null)
      and case topic
        when 'security' then true
        when 'announcements' then coalesce(wants_maintenance, true)
        else coalesce(wants_system, true) end
    on conflict (cause) do nothing
    returning user_id, cause, jsonb_build_object('kind', kind, 'params', params) as content`;
  await mailNotifications(tx, inserted);
  await orderDeliveries(tx, inserted);
  await orderInstallationDeliveries(tx, added.filter(isFirstOfOneUser));
  tx.invalidate(...inserted.map(({ userId }) => userId));
}

/** What many get is one event of the installation: who notifies them orders it. */
const isFirstOfOneUser = ({ content: { kind }, isCopy }: NewNotification) =>
  !isCopy && notificationKinds[kind].topic !== 'announcements' && !isForAdministrators(kind);
