import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { endOtherSessions as endOthers } from './sql.ts';

/** Ends all sessions of the caller but the one of the request. */
export const endOtherSessions: Verb<Routes['DELETE /api/user/sessions'], AuthContext> = async ({
  transaction,
  actor,
}) => {
  await transaction(async (tx) => {
    const ended = await endOthers(tx, actor);
    if (ended > 0)
      await tx.audit({
        target: { kind: 'session', id: actor.userId, label: null },
        subjectUserId: actor.userId,
        changes: { ended: { to: ended } },
      });
  });
  return null;
};
