import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { requireStepUp } from '../sessions/require-step-up.ts';
import { endOtherSessions } from '../sessions/sql.ts';
import { findUser, lockAsAdministrator } from './sql.ts';

/** An administrator signs a user out everywhere; themselves everywhere else. */
export const endUserSessions: Verb<Routes['DELETE /api/admin/users/:id/sessions'], AuthContext> = async (
  { transaction, actor },
  { id },
) => {
  await transaction(async (tx) => {
    await lockAsAdministrator(tx.sql, actor);
    const user = await findUser(tx.sql, id);
    if (!user) throw new AppError('not_found');
    if (user.isAdmin && id !== actor.userId) requireStepUp(actor);
    const ended = await endOtherSessions(tx, { userId: id, sessionId: actor.sessionId });
    if (ended > 0)
      await tx.audit({
        target: { kind: 'user', id, label: user.username },
        subjectUserId: id,
        changes: { ended: { to: ended } },
      });
  });
  return null;
};
