import type { InternalCalls, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { isOpen } from './sql.ts';

interface SessionRow {
  userId: number;
  isAdmin: boolean;
  suspensionReason: string | null;
  noticeUse: boolean;
}

/**
 * What services believe about a session: who it belongs to, signed; null when it has ended. A suspended administrator has no such rights. Use is
 * noted at most once a minute.
 */
export const getSession: Verb<InternalCalls['auth.getSession'], AuthContext> = async (
  { sql, reads, verifyToken, signAssertion },
  input,
) => {
  const sessionId = verifyToken(input.token)?.sessionId;
  if (!sessionId) return null;
  const [row] = await reads<SessionRow[]>`
    select users.id as user_id, is_admin and suspended_at is null as is_admin, suspension_reason,
      last_used_at < now() - interval '1 minute' as notice_use
    from sessions join users on users.id = sessions.user_id
    where sessions.id = ${sessionId} and ${isOpen(sql)}`;
  if (!row) return null;
  if (input.use && row.noticeUse) await sql`update sessions set last_used_at = now() where id = ${sessionId}`;
  const { userId, isAdmin, suspensionReason } = row;
  const actor = { userId, isAdmin, sessionId };
  return { assertion: signAssertion(suspensionReason === null ? actor : { ...actor, suspensionReason }) };
};
