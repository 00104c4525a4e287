import type { Tx } from '@talpa/service-kit/database/transaction';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { insertNotifications } from '../inbox/insert.ts';
import { orderInstallationDeliveries } from '../inbox/order-deliveries.ts';
import { type AnnouncementRow, announcementColumns, contentOf, isActive } from './sql.ts';

const intervalMs = 5_000;
const batch = 200;

/** Puts announcements into inboxes when they begin, a few users at a time. */
export function beginAnnouncements(base: ServiceBase, lifecycle: Lifecycle): void {
  lifecycle.every(
    intervalMs,
    async (signal) => {
      while (!signal.aborted && (await base.transaction(announceToSome)));
    },
    { failed: 'announcements could not be put into inboxes, retrying' },
  );
}

/** @returns whether there is more to do at once */
export async function announceToSome(tx: Tx): Promise<boolean> {
  const { sql } = tx;
  const [row] = await sql<(AnnouncementRow & { notifiedUpTo: number })[]>`
    select ${announcementColumns(sql)}, notified_up_to from announcements
    where notified_up_to is not null and ${isActive(sql)} order by id limit 1 for update skip locked`;
  if (!row) return false;
  const users = await sql<{ userId: number }[]>`
    select user_id from users where username is not null and user_id > ${row.notifiedUpTo}
    order by user_id limit ${batch}`;
  await announce(tx, row, users);
  if (row.notifiedUpTo === 0)
    await orderInstallationDeliveries(tx, [{ userId: null, content: contentOf(row) }]);
  const next = users.length < batch ? null : users.at(-1)?.userId;
  await sql`update announcements set notified_up_to = ${next ?? null} where id = ${row.id}`;
  return true;
}

/** Inserts the active announcements into the inboxes of new users. */
export async function announceToNewcomers(tx: Tx, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  const active = await tx.sql<AnnouncementRow[]>`
    select ${announcementColumns(tx.sql)} from announcements where ${isActive(tx.sql)} order by id`;
  for (const row of active)
    await announce(
      tx,
      row,
      userIds.map((userId) => ({ userId })),
    );
}

async function announce(tx: Tx, row: AnnouncementRow, users: readonly { userId: number }[]): Promise<void> {
  const content = contentOf(row);
  await insertNotifications(
    tx,
    users.map(({ userId }) => ({ userId, cause: `announcement:${row.id}:${userId}`, content })),
  );
}
