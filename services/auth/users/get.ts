import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { findUser, ownUser } from './sql.ts';

/** The current user. */
export const getUser: Verb<Routes['GET /api/user'], AuthContext> = async ({ reads, actor, freshUntil }) => {
  const row = await findUser(reads, actor.userId);
  if (!row) throw new AppError('not_signed_in');
  const user = ownUser(row);
  freshUntil(user.subscriptionExpiry);
  return user;
};
