import type { Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';
import { correctCopies } from './correct.ts';
import { type AnnouncementRow, announcementColumns, lockAnnouncement, publicAnnouncement } from './sql.ts';

/** An administrator ends an announcement before its time. What is in inboxes stays there; what is not sent yet is not sent. */
export const endAnnouncement: Verb<Routes['POST /api/admin/announcements/:id/end'], NotificationsContext> = (
  context,
  { id },
) =>
  context.transaction(async (tx) => {
    await lockAnnouncement(tx.sql, id);
    const [row] = await tx.sql<[AnnouncementRow]>`
      update announcements set starts_at = least(starts_at, now()), ends_at = now()
      where id = ${id} returning ${announcementColumns(tx.sql)}`;
    await correctCopies(tx, row);
    await tx.audit({
      target: { kind: 'announcement', id, label: row.titleDe },
      subjectUserId: context.actor.userId,
    });
    return publicAnnouncement(row);
  });
