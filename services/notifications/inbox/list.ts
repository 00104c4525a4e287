import { exportBytes, type InternalCalls, type Routes, type Verb } from '@talpa/contracts';
import { fitting, pageBytes } from '@talpa/service-kit/database/page';
import type { NotificationsContext } from '../context.ts';
import { type InboxRow, inboxColumns, publicNotification } from './sql.ts';

/** The caller's notifications, the newest first. */
export const listNotifications: Verb<Routes['GET /api/user/notifications'], NotificationsContext> = async (
  context,
  { state, limit, cursor },
) => {
  const { reads, actor } = context;
  const rows = await reads<InboxRow[]>`
    select ${inboxColumns(reads)} from inbox
    where user_id = ${actor.userId}
      ${cursor === undefined ? reads`` : reads`and id < ${cursor}`}
      ${state === undefined ? reads`` : state === 'read' ? reads`and read_at is not null` : reads`and read_at is null`}
    order by id desc limit ${limit + 1}`;
  const shown = fitting(rows.slice(0, limit), publicNotification, pageBytes);
  const last = shown.at(-1);
  context.setPage({ next: rows.length > shown.length && last ? String(last.id) : null, total: null });
  return shown;
};

const exportedAtOnce = 500;

/** All of them, for their user's export. */
export const exportInbox: Verb<InternalCalls['notifications.exportInbox'], NotificationsContext> = async (
  { sql },
  { userId, after },
) => {
  const rows = await sql<InboxRow[]>`
    select ${inboxColumns(sql)} from inbox
    where user_id = ${userId} and id > ${after ?? 0} order by id limit ${exportedAtOnce + 1}`;
  const notifications = fitting(rows.slice(0, exportedAtOnce), publicNotification, exportBytes.notifications);
  return {
    notifications,
    next: notifications.length < rows.length ? (notifications.at(-1)?.id ?? null) : null,
  };
};
