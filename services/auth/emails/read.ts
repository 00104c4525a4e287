import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { ownEmail } from './sql.ts';

/** A user's address, as administrators see it. */
export const readUserEmail: Verb<Routes['GET /api/admin/users/:id/email'], AuthContext> = async (
  { sql },
  { id },
) => {
  const [user] = await sql`select 1 from users where id = ${id}`;
  if (!user) throw new AppError('not_found');
  return ownEmail(sql, id);
};
