import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { endSession } from './sql.ts';

/** Ends the caller's session; without one there is nothing to end. */
export const logout: Verb<Routes['POST /api/logout'], AuthContext> = async (context) => {
  const { actor } = context;
  if (actor)
    await context.transaction(async (tx) => {
      if (await endSession(tx, actor.userId, actor.sessionId))
        await tx.audit({
          target: { kind: 'session', id: actor.sessionId, label: null },
          subjectUserId: actor.userId,
        });
    });
  return null;
};
