import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { recordRead } from '@talpa/service-kit/database/record-read';
import type { NotificationsContext } from '../context.ts';
import { readingNow } from './read.ts';
import { findMail, publicMail } from './sql.ts';

/** One email. What it says is kept only where emails are not sent. */
export const getMail: Verb<Routes['GET /api/admin/mails/:id'], NotificationsContext> = async (
  context,
  { id },
) => {
  const row = await findMail(context.sql, id);
  if (!row) throw new AppError('not_found');
  await recordRead(context, { target: { kind: 'mail', id, label: null }, subjectUserId: row.userId });
  const reading = readingNow(context, row);
  return {
    ...publicMail(row),
    content: reading === 'open' ? row.content : null,
    isGuarded: reading === 'guarded',
  };
};
