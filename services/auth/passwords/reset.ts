import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { requireToken, useToken } from '../one-time-tokens/sql.ts';
import { endAllSessions } from '../sessions/sql.ts';
import { lockUser } from '../users/sql.ts';
import { orderPasswordChangedMail } from './order-changed-mail.ts';

const purpose = 'reset_password';

/** Sets a new password with a reset link, and ends all sessions. Suspended users may, as they may sign in. */
export const resetPassword: Verb<Routes['POST /api/password-reset'], AuthContext> = async (
  context,
  { token, newPassword },
) => {
  const found = await requireToken(context.sql, token, purpose);
  const { userId } = found;
  const passwordHash = await context.whileWaiting(context.passwords.hash(newPassword));
  await context.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('reset_link_invalid');
    await useToken(tx, found, purpose);
    await tx.sql`update users set password_hash = ${passwordHash}, has_password = true, language = ${context.language}
      where id = ${userId}`;
    await endAllSessions(tx, userId);
    await tx.audit({
      actor: { userId, isAdmin: user.isAdmin, sessionId: null },
      target: { kind: 'user', id: userId, label: user.username },
      subjectUserId: userId,
    });
    await orderPasswordChangedMail(tx, userId);
  });
  return null;
};
