import type { Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';
import { type InboxRow, inboxColumns, publicNotification } from '../inbox/sql.ts';

/** One's unread announcements that have not ended, the oldest first: who has read one is shown it no longer. */
export const listOwnAnnouncements: Verb<
  Routes['GET /api/user/notifications/announcements'],
  NotificationsContext
> = async ({ reads, actor }) => {
  const rows = await reads<InboxRow[]>`
    select ${inboxColumns(reads)} from inbox
    where user_id = ${actor.userId} and read_at is null and kind = 'announcement'
      and (params ->> 'endsAt')::timestamptz > now()
    order by id`;
  return rows.map(publicNotification);
};
