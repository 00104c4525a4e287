import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { proveOwnPassword } from '../passwords/prove.ts';
import { requireStepUpWithFactor } from '../sessions/step-up.ts';
import { removeUser } from './remove.ts';

/** Deletes the caller's account, as an administrator would. */
export const deleteAccount: Verb<Routes['POST /api/user/deletion'], AuthContext> = async (context, input) => {
  await requireStepUpWithFactor(context);
  await proveOwnPassword(context, 'password', input.password, ({ id, passwordHash }) =>
    context.transaction(async (tx) => (await removeUser(tx, id, passwordHash)) || null),
  );
  return null;
};
