import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { secondFactorOf } from './sql.ts';

/** The caller's second factor. */
export const getSecondFactor: Verb<Routes['GET /api/user/second-factor'], AuthContext> = (context) =>
  secondFactorOf(context, context.actor.userId);
