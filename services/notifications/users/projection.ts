import type { EventOf, NotificationContent } from '@talpa/contracts';
import { jsonOf } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { runBatchProjection } from '@talpa/service-kit/events/projection';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { announceToNewcomers } from '../announcements/begin.ts';
import { forgetInDeliveries } from '../deliveries/forget.ts';
import { insertNotifications, type NewNotification } from '../inbox/insert.ts';
import { isRecent, orderInstallationDeliveries } from '../inbox/order-deliveries.ts';

/** Keeps who users are and which notifications they want, and removes what was sent to those who are deleted. */
export function keepUsers(base: ServiceBase, lifecycle: Lifecycle): void {
  runBatchProjection('notifications', 'user', storeUsers, base, lifecycle);
}

type User = EventOf<'user'>;

export async function storeUsers(tx: Tx, users: readonly User[]): Promise<void> {
  const ids = [...new Set(users.map(({ id }) => id))];
  const known = await tx.sql<{ userId: number; isSuspended: boolean | null }[]>`
    select user_id, is_suspended from users where user_id in ${tx.sql(ids)} order by user_id for update`;
  const changed = await tx.sql<{ userId: number; username: string | null; version: number }[]>`
    insert into users (user_id, username, username_key, version, is_admin, is_suspended, wants_system,
      wants_maintenance, wants_email, quiet_hours)
    select distinct on (id) id, case when not deleted then username end,
      case when not deleted then lower(username) end, version, "isAdmin", coalesce(suspension, 'null') <> 'null',
      (notifications ->> 'system')::boolean, (notifications ->> 'maintenance')::boolean,
      (notifications ->> 'email')::boolean, notifications -> 'quietHours'
    from jsonb_to_recordset(${jsonOf(tx.sql, users)}) as one (
      id bigint, username text, version integer, deleted boolean, "isAdmin" boolean, suspension jsonb, notifications jsonb)
    order by id, version desc
    on conflict (user_id) do update set
      username = excluded.username, username_key = excluded.username_key, version = excluded.version,
      is_admin = excluded.is_admin, is_suspended = excluded.is_suspended, wants_system = excluded.wants_system,
      wants_maintenance = excluded.wants_maintenance, wants_email = excluded.wants_email,
      quiet_hours = excluded.quiet_hours
    where users.version < excluded.version
    returning user_id, username, version`;
  const gone = changed.filter(({ username }) => username === null).map(({ userId }) => userId);
  if (gone.length > 0) await forget(tx, gone);
  const before = new Map(known.map(({ userId, isSuspended }) => [userId, isSuspended]));
  const notifications = changed.flatMap(({ userId, version }) => {
    const user = users.find((one) => one.id === userId && one.version === version);
    return user ? suspensionChange(user, before.get(userId) ?? null) : [];
  });
  await insertNotifications(tx, notifications);
  await orderInstallationDeliveries(
    tx,
    changed.flatMap(({ userId, username, version }) => {
      if (username === null) return before.has(userId) ? { userId, content: deleted } : [];
      const user = users.find((one) => one.id === userId && one.version === version);
      return !before.has(userId) && user && isRecent(user.createdAt) ? { userId, content: created } : [];
    }),
  );
  await announceToNewcomers(
    tx,
    changed.map(({ userId }) => userId).filter((userId) => !before.has(userId)),
  );
}

const created = { kind: 'user_created', params: {} } as const;
const deleted = { kind: 'user_deleted', params: {} } as const;

/** @param wasSuspended null: the user is seen for the first time, and nobody is notified */
function suspensionChange(user: User, wasSuspended: boolean | null): NewNotification[] {
  const { id: userId, suspension, deleted } = user;
  if (deleted || wasSuspended === null || wasSuspended === (suspension !== null)) return [];
  const content: NotificationContent = suspension
    ? { kind: 'account_suspended', params: { reason: suspension.reason } }
    : { kind: 'account_resumed', params: {} };
  return [{ userId, content }];
}

/** Deletes everything that belongs to deleted users. */
async function forget({ sql }: Tx, userIds: readonly number[]): Promise<void> {
  const theirs = sql`user_id in ${sql(userIds)}`;
  await sql`delete from mails where ${theirs}`;
  await sql`delete from inbox where ${theirs}`;
  await sql`delete from channels where ${theirs}`;
  await forgetInDeliveries(sql, userIds);
}
