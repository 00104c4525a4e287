import {
  type Notification,
  type NotificationContent,
  notificationKinds,
  type UnreadCount,
  unreadCountedUpTo,
} from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';

export type InboxRow = NotificationContent & { id: number; createdAt: Date; readAt: Date | null };

export const inboxColumns = (sql: AnySql) => sql`id, kind, params, created_at, read_at`;

/** A notification as its user sees it. */
export function publicNotification({ createdAt, readAt, ...row }: InboxRow): Notification {
  const { topic, level } = notificationKinds[row.kind];
  return {
    ...row,
    topic,
    level: row.kind === 'announcement' ? row.params.level : level,
    createdAt: createdAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
  };
}

export async function unreadOf(sql: AnySql, userId: number): Promise<UnreadCount> {
  const [row] = await sql<{ unread: number }[]>`
    select count(*) as unread from (
      select 1 from inbox where user_id = ${userId} and read_at is null limit ${unreadCountedUpTo}) as counted`;
  return { unread: row?.unread ?? 0 };
}
