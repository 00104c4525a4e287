import { mailKinds, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { NotificationsContext } from '../context.ts';
import { findMail, publicMail } from './sql.ts';

/**
 * One email. What it says is kept only where emails are not sent: administrators then hand it over. Once they are, what
 * concerns an account's security is for its recipient alone.
 */
export const getMail: Verb<Routes['GET /api/admin/mails/:id'], NotificationsContext> = async (
  { sql, smtp },
  { id },
) => {
  const row = await findMail(sql, id);
  if (!row) throw new AppError('not_found');
  const mayBeRead = smtp === null || !mailKinds[row.kind].security;
  return { ...publicMail(row), content: mayBeRead ? row.content : null };
};
