import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { findUser } from '../users/sql.ts';
import { apiKeysOf } from './sql.ts';

/** The caller's API keys. */
export const listApiKeys: Verb<Routes['GET /api/user/api-keys'], AuthContext> = ({ sql, actor }) =>
  apiKeysOf(sql, actor.userId);

/** A user's API keys, for administrators. */
export const listUserApiKeys: Verb<Routes['GET /api/admin/users/:id/api-keys'], AuthContext> = async (
  { sql },
  { id },
) => {
  if (!(await findUser(sql, id))) throw new AppError('not_found');
  return apiKeysOf(sql, id);
};
