import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { requireStepUpWithFactor } from '../second-factors/policy.ts';
import { proveOwnPassword } from '../users/prove-password.ts';
import { removeUser } from '../users/remove.ts';

/** Deletes the caller's account, as an administrator would. */
export const deleteAccount: Verb<Routes['POST /api/user/deletion'], AuthContext> = async (context, input) => {
  await requireStepUpWithFactor(context);
  await proveOwnPassword(context, 'password', input.password, ({ id, passwordHash }) =>
    context.transaction(async (tx) => (await removeUser(tx, id, passwordHash)) || null),
  );
  return null;
};
