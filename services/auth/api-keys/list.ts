import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { recordDetailsRead } from '../users/record-details-read.ts';
import { apiKeysOf } from './sql.ts';

/** The caller's API keys. */
export const listApiKeys: Verb<Routes['GET /api/user/api-keys'], AuthContext> = ({ sql, actor }) =>
  apiKeysOf(sql, actor.userId);

/** A user's API keys, for administrators. */
export const listUserApiKeys: Verb<Routes['GET /api/admin/users/:id/api-keys'], AuthContext> = async (
  context,
  { id },
) => {
  await recordDetailsRead(context, id);
  return apiKeysOf(context.sql, id);
};
