import type { InternalCalls, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { type RightsRow, rightsColumns, rightsOf } from './rights.ts';
import { isOpen } from './sql.ts';

interface SessionRow extends RightsRow {
  readonly withFactor: boolean;
  readonly noticeUse: boolean;
  readonly provedAt: Date;
}

/**
 * What services believe about a session: who it belongs to, signed; null when it has ended. Use is stored at most once a
 * minute.
 */
export const getSession: Verb<InternalCalls['auth.getSession'], AuthContext> = async (context, input) => {
  const { sql, reads, cacheVersions, verifyToken, signAssertion } = context;
  const sessionId = verifyToken(input.token)?.sessionId;
  if (!sessionId) return null;
  const [row] = await reads<SessionRow[]>`
    select ${rightsColumns(reads, context)}, with_factor, proved_at,
      last_used_at < now() - interval '1 minute' as notice_use
    from sessions join users on users.id = sessions.user_id
    where sessions.id = ${sessionId} and ${isOpen(sql)}`;
  if (!row) return null;
  const rights = rightsOf({ ...row, hasFactor: row.hasFactor && row.withFactor }, context);
  // Where there is a factor, what the password alone has proven counts for nothing: not even to set up another one.
  const provedAt = row.hasFactor && rights.lacksFactor ? 0 : row.provedAt.getTime();
  if (input.use && row.noticeUse) {
    await sql`update sessions set last_used_at = now() where id = ${sessionId}`;
    await cacheVersions.invalidate([rights.userId]);
  }
  return { assertion: signAssertion({ ...rights, sessionId, provedAt }) };
};
