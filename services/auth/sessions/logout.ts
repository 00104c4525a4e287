import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../app.ts';

/** Ends the caller's session; without one there is nothing to end. */
export const logout: Verb<Routes['POST /api/logout'], AuthContext> = async (context) => {
  const { actor } = context;
  if (actor)
    await context.transaction(async (tx) => {
      await tx.sql`delete from sessions where id = ${actor.sessionId}`;
      tx.touch(actor.userId);
    });
  return null;
};
