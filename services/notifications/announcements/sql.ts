import type { Announcement, NotificationContent } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';

/** What administrators enter, as the audit trail and edits compare it. */
export type Given = Pick<
  Announcement,
  'level' | 'titleDe' | 'textDe' | 'titleEn' | 'textEn' | 'startsAt' | 'endsAt'
>;

export interface AnnouncementRow extends Omit<Announcement, 'startsAt' | 'endsAt' | 'createdAt'> {
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly createdAt: Date;
}

/** It has begun and not ended. */
export const isActive = (sql: AnySql) => sql`starts_at <= now() and ends_at > now()`;

export const announcementColumns = (sql: AnySql) => sql`
  announcements.id, level, title_de, text_de, title_en, text_en, starts_at, ends_at, created_at, case
    when ends_at <= now() then 'ended' when starts_at <= now() then 'active' else 'planned'
  end as state`;

export const publicAnnouncement = (row: AnnouncementRow): Announcement => ({
  ...row,
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
});

/** The entered fields of a row. */
export const givenOf = (row: AnnouncementRow): Given => {
  const { level, titleDe, textDe, titleEn, textEn, startsAt, endsAt } = publicAnnouncement(row);
  return { level, titleDe, textDe, titleEn, textEn, startsAt, endsAt };
};

/** An announcement that only the caller changes now, and that has not ended. @throws AppError `not_found`, `announcement_ended` */
export async function lockAnnouncement(sql: AnySql, id: number): Promise<AnnouncementRow> {
  const [row] = await sql<AnnouncementRow[]>`
    select ${announcementColumns(sql)} from announcements where id = ${id} for update`;
  if (!row) throw new AppError('not_found');
  if (row.state === 'ended') throw new AppError('announcement_ended');
  return row;
}

/** @throws AppError where it would end before it begins, or has ended already */
export function refuseTimes({ startsAt, endsAt }: Pick<Given, 'startsAt' | 'endsAt'>): void {
  if (new Date(endsAt) <= new Date(startsAt)) throw invalidField('endsAt', 'endBeforeStart');
  if (new Date(endsAt) <= new Date()) throw invalidField('endsAt', 'inPast');
}

/** What it says in an inbox. */
export function contentOf(row: AnnouncementRow): NotificationContent {
  const { id, level, titleDe, textDe, titleEn, textEn, startsAt, endsAt } = publicAnnouncement(row);
  return {
    kind: 'announcement',
    params: {
      announcementId: id,
      level,
      startsAt,
      endsAt,
      title: { de: titleDe, en: titleEn },
      text: { de: textDe, en: textEn },
    },
  };
}
