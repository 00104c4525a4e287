import { type Routes, resendableStates, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { userChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { NotificationsContext } from '../context.ts';
import { findMail, publicMail, requeue } from './sql.ts';

/** An administrator has an email sent again that was given up, refused or held back. */
export const sendAgain: Verb<Routes['POST /api/admin/mails/:id/sending'], NotificationsContext> = async (
  context,
  { id },
) => {
  const row = await context.transaction(async (tx) => {
    const found = await findMail(tx.sql, id);
    if (!found) throw new AppError('not_found');
    if (!(await requeue(tx.sql, id, resendableStates))) throw new AppError('mail_on_its_way');
    await tx.audit({
      target: { kind: 'mail', id, label: null },
      subjectUserId: found.userId,
    });
    return (await findMail(tx.sql, id)) ?? found;
  });
  context.nc.publish(userChangedSubject('notifications', row.userId));
  context.kick();
  return publicMail(row);
};
