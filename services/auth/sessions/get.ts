import type { InternalCalls, Verb } from '@talpa/contracts';
import type { AuthContext } from '../app.ts';
import { isOpen } from './sql.ts';

interface SessionRow {
  userId: number;
  isAdmin: boolean;
  suspensionReason: string | null;
  noticeUse: boolean;
}

/**
 * Who a session belongs to, or null when it has ended. A suspended administrator has no such rights. Use is
 * noted at most once a minute.
 */
export const getSession: Verb<InternalCalls['auth.getSession'], AuthContext> = async (
  { sql, reads },
  input,
) => {
  const [row] = await reads<SessionRow[]>`
    select users.id as user_id, is_admin and suspended_at is null as is_admin, suspension_reason,
      last_used_at < now() - interval '1 minute' as notice_use
    from sessions join users on users.id = sessions.user_id
    where sessions.id = ${input.sessionId} and ${isOpen(sql)}`;
  if (!row) return null;
  if (input.use && row.noticeUse)
    await sql`update sessions set last_used_at = now() where id = ${input.sessionId}`;
  const { userId, isAdmin, suspensionReason } = row;
  const who = { userId, isAdmin, sessionId: input.sessionId };
  return suspensionReason === null ? who : { ...who, suspensionReason };
};
