import { type MailContent, type Routes, readingOf, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { NotificationsContext } from '../context.ts';
import { findMail, type MailRow } from './sql.ts';

/** An administrator reads an email to hand it over: its recipient, too, sees that in their activity log. */
export const readMail: Verb<Routes['POST /api/admin/mails/:id/reading'], NotificationsContext> = (
  context,
  { id },
) =>
  context.transaction(async (tx) => {
    const row = await findMail(tx.sql, id);
    if (!row) throw new AppError('not_found');
    if (!row.content || readingNow(context, row) === 'none') throw new AppError('mail_not_kept');
    await tx.audit({ target: { kind: 'mail', id, label: null }, subjectUserId: row.userId });
    return row.content;
  });

/**
 * Who reads a kept email now. Once emails are sent, what concerns security is for its recipient alone. What opens the account
 * of an administrator is never shown: the operator has `admin reset-link`.
 */
export function readingNow(
  { smtp }: Pick<NotificationsContext, 'smtp'>,
  { kind, isToUser, content }: MailRow & { readonly content: MailContent | null },
): ReturnType<typeof readingOf> {
  const reading = readingOf(kind);
  return reading === 'guarded' && (smtp !== null || !isToUser || content === null) ? 'none' : reading;
}
