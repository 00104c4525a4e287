import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { requireStepUp } from '../sessions/require-step-up.ts';
import { removeUser } from './remove.ts';
import { findUser, lockAsAdministrator } from './sql.ts';

/** An administrator deletes a user; their proxies and their subscription follow by the event. */
export const deleteUser: Verb<Routes['DELETE /api/admin/users/:id'], AuthContext> = async (
  context,
  input,
) => {
  if (input.id === context.actor.userId) throw new AppError('self_deletion');
  await context.transaction(async (tx) => {
    await lockAsAdministrator(tx.sql, context.actor);
    if ((await findUser(tx.sql, input.id))?.isAdmin) requireStepUp(context.actor);
    if (!(await removeUser(tx, input.id))) throw new AppError('not_found');
  });
  return null;
};
