import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';

const most = 1_000;

/** Who has registered with an invitation and is still there. */
export const listInvitedUsers: Verb<Routes['GET /api/admin/invitations/:id/users'], AuthContext> = async (
  { sql },
  { id },
) => {
  const [invitation] = await sql`select 1 from invitations where id = ${id}`;
  if (!invitation) throw new AppError('not_found');
  const rows = await sql<{ id: number; username: string; createdAt: Date }[]>`
    select users.id, username, invitation_uses.created_at from invitation_uses join users on users.id = user_id
    where invitation_id = ${id} order by user_id desc limit ${most}`;
  return rows.map(({ createdAt, ...user }) => ({ ...user, at: createdAt.toISOString() }));
};
