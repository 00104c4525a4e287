import type { InternalCalls, Routes, Verb } from '@talpa/contracts';
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
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  context.setPage({ next: rows.length > limit && last ? String(last.id) : null, total: null });
  return shown.map(publicNotification);
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
  const shown = rows.slice(0, exportedAtOnce);
  return {
    notifications: shown.map(publicNotification),
    next: rows.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
  };
};
