import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { ownSessions } from './sql.ts';

/** The caller's open sessions, the last used first. */
export const listSessions: Verb<Routes['GET /api/user/sessions'], AuthContext> = async ({
  reads,
  actor,
  freshUntil,
}) => {
  const { sessions, nextEnd } = await ownSessions(reads, actor);
  freshUntil(nextEnd);
  return sessions;
};
