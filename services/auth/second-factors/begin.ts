import type { Actor, AuditChanges } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';
import { countPasskeys } from '../passkeys/sql.ts';
import { endOtherSessions } from '../sessions/sql.ts';
import { hasApp } from './sql.ts';

/**
 * A session is about to set up a factor of its user. Their first one ends their other sessions: the password alone has opened these.
 * The caller holds the user's row.
 * @returns what the audit trail notes of it
 */
export async function beginFactor(
  tx: Tx,
  context: Pick<AuthContext, 'passkeyHost'>,
  actor: Pick<Actor, 'userId' | 'sessionId'>,
): Promise<AuditChanges> {
  const { userId } = actor;
  if ((await hasApp(tx.sql, userId)) || (await countPasskeys(tx.sql, context, userId)) > 0) return {};
  const ended = await endOtherSessions(tx, actor);
  return ended > 0 ? { ended: { to: ended } } : {};
}
