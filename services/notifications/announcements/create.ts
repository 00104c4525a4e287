import type { Routes, Verb } from '@talpa/contracts';
import { firstState } from '@talpa/service-kit/database/changes';
import type { NotificationsContext } from '../context.ts';
import {
  type AnnouncementRow,
  announcementColumns,
  givenOf,
  publicAnnouncement,
  refuseTimes,
} from './sql.ts';

/** Creates an announcement. `begin.ts` inserts it into inboxes when it begins. */
export const createAnnouncement: Verb<Routes['POST /api/admin/announcements'], NotificationsContext> = (
  context,
  { level, titleDe, textDe, titleEn, textEn, startsAt, endsAt },
) => {
  refuseTimes({ startsAt, endsAt });
  return context.transaction(async (tx) => {
    const [row] = await tx.sql<[AnnouncementRow]>`
      insert into announcements (level, title_de, text_de, title_en, text_en, starts_at, ends_at)
      values (${level}, ${titleDe}, ${textDe}, ${titleEn}, ${textEn}, ${new Date(startsAt)}, ${new Date(endsAt)})
      returning ${announcementColumns(tx.sql)}`;
    await tx.audit({
      target: { kind: 'announcement', id: row.id, label: row.titleDe },
      subjectUserId: context.actor.userId,
      changes: firstState({ ...givenOf(row) }),
    });
    return publicAnnouncement(row);
  });
};
