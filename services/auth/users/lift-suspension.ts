import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { saveSuspension } from './suspension.ts';

/** An administrator lifts a user's suspension: everything is as before. */
export const liftUserSuspension: Verb<Routes['DELETE /api/admin/users/:id/suspension'], AuthContext> = async (
  context,
  input,
) => {
  await saveSuspension(context, input.id, async () => ({ suspendedAt: null, suspensionReason: null }));
  return null;
};
