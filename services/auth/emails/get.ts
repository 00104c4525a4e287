import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { ownEmail } from './sql.ts';

/** The caller's address, and whether it is verified. */
export const getOwnEmail: Verb<Routes['GET /api/user/email'], AuthContext> = ({ sql, actor }) =>
  ownEmail(sql, actor.userId);
