import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { readPage } from '@talpa/service-kit/database/page';
import { contains } from '@talpa/service-kit/database/search';
import type { NotificationsContext } from '../context.ts';
import { type AnnouncementRow, announcementColumns, isActive, publicAnnouncement } from './sql.ts';

/** All announcements, the newest first unless another order is asked for. */
export const listAnnouncements: Verb<Routes['GET /api/admin/announcements'], NotificationsContext> = async (
  context,
  input,
) => {
  const { sql } = context;
  const { state, q } = input;
  const id = sql`announcements.id`;
  const title = sql`lower(title_de)`;
  const states = {
    planned: sql`starts_at > now()`,
    active: isActive(sql),
    ended: sql`ends_at <= now()`,
  };
  const { rows, facts } = await readPage<AnnouncementRow, ReturnType<typeof publicAnnouncement>>(
    sql,
    { ...input, sort: input.sort ?? '-createdAt' },
    {
      columns: announcementColumns(sql),
      from: sql`announcements`,
      id,
      where: [
        ...(state === undefined ? [] : [states[state]]),
        ...(q === undefined ? [] : [contains(sql, q, title, title)]),
      ],
      sorts: { createdAt: { by: id, valueOf: (row) => row.id } },
    },
    publicAnnouncement,
  );
  context.setPage(facts);
  return rows;
};

export const getAnnouncement: Verb<Routes['GET /api/admin/announcements/:id'], NotificationsContext> = async (
  { sql },
  { id },
) => {
  const [row] = await sql<AnnouncementRow[]>`
    select ${announcementColumns(sql)} from announcements where id = ${id}`;
  if (!row) throw new AppError('not_found');
  return publicAnnouncement(row);
};
