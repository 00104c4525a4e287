import { randomUUID } from 'node:crypto';
import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { callInternal } from '@talpa/service-kit/bus/request';
import { userChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { NotificationsContext } from '../context.ts';
import { findMail, insertMail, publicMail } from './sql.ts';

/** An administrator sends themselves an email, by the way all emails go. */
export const sendTestMail: Verb<Routes['POST /api/admin/test-mail'], NotificationsContext> = async (
  context,
) => {
  const { nc, actor } = context;
  const { userId } = actor;
  const id = randomUUID();
  const recipient = await context.whileWaiting(
    callInternal(nc, 'auth.prepareMail', { userId, cause: id, kind: 'test' }, context),
  );
  if (!recipient?.address) throw new AppError('mail_address_missing');
  const row = await context.transaction(async (tx) => {
    const at = new Date().toISOString();
    await insertMail(tx.sql, { id, userId, at, mail: { kind: 'test', params: {} } });
    const [made] = await tx.sql<{ id: number }[]>`select id from mails where cause = ${id}`;
    const stored = made && (await findMail(tx.sql, made.id));
    if (!stored) throw new AppError('not_signed_in');
    await tx.audit({ target: { kind: 'mail', id: stored.id, label: null }, subjectUserId: userId });
    return stored;
  });
  nc.publish(userChangedSubject('notifications', userId));
  context.kick();
  return publicMail(row);
};
