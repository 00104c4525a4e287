import type { Routes, Verb } from '@talpa/contracts';
import { changesBetween, refuseEditConflict } from '@talpa/service-kit/database/changes';
import type { NotificationsContext } from '../context.ts';
import { correctCopies } from './correct.ts';
import {
  type AnnouncementRow,
  announcementColumns,
  givenOf,
  lockAnnouncement,
  publicAnnouncement,
  refuseTimes,
} from './sql.ts';

/** Changes an announcement, also in the inboxes that already have it, and in what is not sent yet. */
export const updateAnnouncement: Verb<Routes['PUT /api/admin/announcements/:id'], NotificationsContext> = (
  context,
  { id, expected, level, titleDe, textDe, titleEn, textEn, startsAt, endsAt },
) => {
  refuseTimes({ startsAt, endsAt });
  return context.transaction(async (tx) => {
    const before = givenOf(await lockAnnouncement(tx.sql, id));
    refuseEditConflict(expected, before);
    const [row] = await tx.sql<[AnnouncementRow]>`
      update announcements set level = ${level}, title_de = ${titleDe}, text_de = ${textDe},
        title_en = ${titleEn}, text_en = ${textEn}, starts_at = ${new Date(startsAt)}, ends_at = ${new Date(endsAt)}
      where id = ${id} returning ${announcementColumns(tx.sql)}`;
    await correctCopies(tx, row);
    await tx.audit({
      target: { kind: 'announcement', id, label: row.titleDe },
      subjectUserId: context.actor.userId,
      changes: changesBetween({ ...before }, { ...givenOf(row) }),
    });
    return publicAnnouncement(row);
  });
};
