import type { Actor, Routes, Verb } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { voidResetTokens } from '../one-time-tokens/sql.ts';
import { requireStepUpWithFactor } from '../second-factors/policy.ts';
import { requireStepUp } from '../sessions/require-step-up.ts';
import { endOtherSessions } from '../sessions/sql.ts';
import { proveOwnPassword } from '../users/prove-password.ts';
import { findUser, type UserRow } from '../users/sql.ts';
import { orderPasswordChangedMail } from './order-changed-mail.ts';

/**
 * Changes the caller's password and ends their other sessions: an intruder who knew the old one is signed out. Users who have none set
 * their first one after a step-up.
 */
export const changePassword: Verb<Routes['POST /api/user/password'], AuthContext> = async (
  context,
  { currentPassword, newPassword },
) => {
  await requireStepUpWithFactor(context);
  const user = await findUser(context.sql, context.actor.userId);
  if (!user) throw new AppError('not_signed_in');
  if (!user.hasPassword) {
    requireStepUp(context.actor);
    // Another tab may have set one meanwhile.
    if (!(await replacePassword(context, user, newPassword))) throw new AppError('wrong_password');
    return null;
  }
  if (currentPassword === undefined) throw invalidField('currentPassword', 'required');
  await proveOwnPassword(context, 'currentPassword', currentPassword, async (proven) =>
    (await replacePassword(context, proven, newPassword)) ? true : null,
  );
  return null;
};

/** @returns false when the password is no longer the one that was looked at */
async function replacePassword(
  context: AuthContext & { readonly actor: Actor },
  { username, passwordHash }: UserRow,
  password: string,
): Promise<boolean> {
  const { actor, passwords, whileWaiting } = context;
  const newHash = await whileWaiting(passwords.hash(password));
  return context.transaction(async (tx) => {
    const { count } = await tx.sql`
      update users set password_hash = ${newHash}, has_password = true, language = ${context.language}
      where id = ${actor.userId} and password_hash = ${passwordHash}`;
    if (count === 0) return false;
    await voidResetTokens(tx, actor.userId);
    await endOtherSessions(tx, actor);
    await tx.audit({
      target: { kind: 'user', id: actor.userId, label: username },
      subjectUserId: actor.userId,
    });
    await orderPasswordChangedMail(tx, actor.userId);
    return true;
  });
}
