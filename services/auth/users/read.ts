import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { findUser, publicUser } from './sql.ts';

/** One user, as administrators see them. */
export const readUser: Verb<Routes['GET /api/admin/users/:id'], AuthContext> = async ({ reads }, { id }) => {
  const row = await findUser(reads, id);
  if (!row) throw new AppError('not_found');
  return publicUser(row);
};
