import type { AuditChanges, SessionActor } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';
import { hasFactor } from './rights.ts';
import { endOtherSessions } from './sql.ts';

/**
 * A session is about to set up a factor of its user. Their first one ends their other sessions: the password alone has opened these.
 * The caller holds the user's row.
 * @returns what the audit trail records of it
 * @throws AppError `not_signed_in` when the session has ended, `no_pending_authenticator` when there is a factor that the session has to prove first
 */
export async function beginFactor(
  tx: Tx,
  context: Pick<AuthContext, 'passkeyHost'>,
  actor: SessionActor,
): Promise<AuditChanges> {
  const { userId, sessionId } = actor;
  const [session] = await tx.sql<{ withFactor: boolean }[]>`
    select with_factor from sessions where id = ${sessionId}`;
  // The first factor may have come from another session meanwhile, and ended this one.
  if (!session) throw new AppError('not_signed_in');
  const isFirst = !(await hasFactor(tx.sql, context, userId));
  if (!isFirst && actor.lacksFactor && !session.withFactor) throw new AppError('no_pending_authenticator');
  await tx.sql`update sessions set with_factor = true where id = ${sessionId}`;
  if (!isFirst) return {};
  const ended = await endOtherSessions(tx, actor, true);
  return ended > 0 ? { ended: { to: ended } } : {};
}
