import { asksForFactor, type InternalCalls, type Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { isOpen } from './sql.ts';

interface SessionRow {
  userId: number;
  isAdmin: boolean;
  suspensionReason: string | null;
  lacksEmail: boolean;
  hasFactor: boolean;
  noticeUse: boolean;
  provedAt: Date;
}

/**
 * What services believe about a session: who it belongs to, signed; null when it has ended. A suspended administrator has no such rights. Use is
 * noted at most once a minute.
 */
export const getSession: Verb<InternalCalls['auth.getSession'], AuthContext> = async (
  { sql, reads, emailRequired, factorPolicy, passkeyHost, verifyToken, signAssertion },
  input,
) => {
  const sessionId = verifyToken(input.token)?.sessionId;
  if (!sessionId) return null;
  const [row] = await reads<SessionRow[]>`
    select users.id as user_id, proved_at, is_admin and suspended_at is null as is_admin, suspension_reason,
      last_used_at < now() - interval '1 minute' as notice_use,
      ${emailRequired}::boolean and not exists (
        select 1 from email_addresses where user_id = users.id and verified_at is not null and ended_at is null
      ) as lacks_email,
      exists (
        select 1 from authenticators where user_id = users.id and confirmed_at is not null
      ) or exists (select 1 from passkeys where user_id = users.id and host = ${passkeyHost}) as has_factor
    from sessions join users on users.id = sessions.user_id
    where sessions.id = ${sessionId} and ${isOpen(sql)}`;
  if (!row) return null;
  if (input.use && row.noticeUse) await sql`update sessions set last_used_at = now() where id = ${sessionId}`;
  const { userId, isAdmin, suspensionReason, lacksEmail, hasFactor, provedAt } = row;
  return {
    assertion: signAssertion({
      ...{ userId, isAdmin, sessionId, provedAt: provedAt.getTime() },
      ...(suspensionReason === null ? {} : { suspensionReason }),
      ...(lacksEmail ? { lacksEmail } : {}),
      ...(asksForFactor(factorPolicy, row) && !hasFactor ? { lacksFactor: true } : {}),
    }),
  };
};
