import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { findUser, lockAsAdministrator, lockUser } from '../users/sql.ts';
import { removedChanges, removeFactors, secondFactorOf } from './sql.ts';

/** A user's second factor, for administrators. */
export const readUserFactor: Verb<Routes['GET /api/admin/users/:id/second-factor'], AuthContext> = async (
  context,
  { id },
) => {
  if (!(await findUser(context.sql, id))) throw new AppError('not_found');
  return secondFactorOf(context, id);
};

/**
 * An administrator lets somebody in again who has lost their passkeys, or app and codes. Not their own: or a stolen session would
 * be enough to remove it.
 */
export const removeUserFactor: Verb<
  Routes['DELETE /api/admin/users/:id/second-factor'],
  AuthContext
> = async (context, { id }) => {
  if (id === context.actor.userId) throw new AppError('self_factor_removal');
  await context.transaction(async (tx) => {
    await lockAsAdministrator(tx.sql, context.actor);
    const user = await lockUser(tx, id);
    if (!user) throw new AppError('not_found');
    const removed = await removeFactors(tx, id);
    if (!removed.app && removed.passkeys === 0) throw new AppError('no_second_factor');
    const target = { kind: 'user', id, label: user.username } as const;
    await tx.audit({ target, subjectUserId: id, changes: removedChanges(removed) });
    const params = { changedAt: new Date().toISOString() };
    await orderSecurityMail(tx, id, { kind: 'factor_reset', params });
  });
  return null;
};
