import { type InternalCalls, linkPath, type ResetLink, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';
import { createToken } from '../one-time-tokens/sql.ts';
import { requireStepUp } from '../sessions/require-step-up.ts';
import { findUser, findUserByName, lockAsAdministrator, lockUser, type UserRow } from '../users/sql.ts';

/** An administrator lets somebody choose a new password who has forgotten theirs. */
export const createResetLink: Verb<Routes['POST /api/admin/users/:id/reset-link'], AuthContext> = (
  context,
  { id },
) =>
  context.transaction(async (tx) => {
    await lockAsAdministrator(tx.sql, context.actor);
    const user = await findUser(tx.sql, id);
    if (!user) throw new AppError('not_found');
    if (user.isAdmin) requireStepUp(context.actor);
    return createLink(context, tx, user);
  });

/** The operator does the same. */
export const createResetLinkByName: Verb<InternalCalls['auth.createResetLinkByName'], AuthContext> = (
  context,
  { username },
) =>
  context.transaction(async (tx) => {
    const user = await findUserByName(tx.sql, username);
    if (!user) throw new AppError('not_found');
    return createLink(context, tx, user);
  });

async function createLink(
  { publicUrl }: Pick<AuthContext, 'publicUrl'>,
  tx: Tx,
  { id, username }: Pick<UserRow, 'id' | 'username'>,
): Promise<ResetLink> {
  if (!(await lockUser(tx, id))) throw new AppError('not_found');
  const { token, expiresAt } = await createToken(tx, id, 'reset_password');
  await tx.audit({ target: { kind: 'user', id, label: username }, subjectUserId: id });
  const path = linkPath('reset_password', token);
  return {
    url: publicUrl === undefined ? null : new URL(path, publicUrl).href,
    path,
    expiresAt: expiresAt.toISOString(),
  };
}
