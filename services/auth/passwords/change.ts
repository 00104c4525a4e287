import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { endOtherSessions } from '../sessions/sql.ts';
import { requireStepUpWithFactor } from '../sessions/step-up.ts';
import { proveOwnPassword } from './prove.ts';
import { voidResetTokens } from './tokens.ts';

/** Changes the caller's password and ends their other sessions: an intruder who knew the old one is signed out. */
export const changePassword: Verb<Routes['POST /api/user/password'], AuthContext> = async (
  context,
  input,
) => {
  const { actor, passwords, whileWaiting } = context;
  await requireStepUpWithFactor(context);
  await proveOwnPassword(context, 'currentPassword', input.currentPassword, async (user) => {
    const newHash = await whileWaiting(passwords.hash(input.newPassword));
    return context.transaction(async (tx) => {
      const { count } = await tx.sql`
        update users set password_hash = ${newHash}, language = ${context.language}
        where id = ${actor.userId} and password_hash = ${user.passwordHash}`;
      if (count === 0) return null;
      await voidResetTokens(tx, actor.userId);
      await endOtherSessions(tx, actor);
      await tx.audit({
        target: { kind: 'user', id: actor.userId, label: user.username },
        subjectUserId: actor.userId,
      });
      const params = { changedAt: new Date().toISOString() };
      await orderSecurityMail(tx, actor.userId, { kind: 'password_changed', params });
      return true;
    });
  });
  return null;
};
