import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { recordDetailsRead } from '../users/record-details-read.ts';
import { ownEmail } from './sql.ts';

/** A user's address, as administrators see it. */
export const readUserEmail: Verb<Routes['GET /api/admin/users/:id/email'], AuthContext> = async (
  context,
  { id },
) => {
  await recordDetailsRead(context, id);
  return ownEmail(context.sql, id);
};
