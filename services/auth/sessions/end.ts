import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { endSession as end } from './sql.ts';

/** Ends a session of the caller; those of other users count as unknown. */
export const endSession: Verb<Routes['DELETE /api/user/sessions/:id'], AuthContext> = async (
  { transaction, actor },
  input,
) => {
  await transaction(async (tx) => {
    if (!(await end(tx, actor.userId, input.id))) throw new AppError('not_found');
    await tx.audit({
      target: { kind: 'session', id: input.id, label: null },
      subjectUserId: actor.userId,
    });
  });
  return null;
};
