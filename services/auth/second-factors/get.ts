import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { secondFactorOf } from './sql.ts';

/** The caller's second factor, and whether this session sets an app up. */
export const getSecondFactor: Verb<Routes['GET /api/user/second-factor'], AuthContext> = (context) =>
  secondFactorOf(context, context.actor.userId, context.actor.sessionId);
