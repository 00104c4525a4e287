import type { Tx } from '@talpa/service-kit/database/transaction';
import { signSession } from '@talpa/service-kit/session/token';
import type { AuthContext } from '../app.ts';
import { maximumDays } from './sql.ts';

const userAgentLength = 300;

/** Opens a session, and gives its id and the JWT that names it. */
export async function openSession(
  tx: Tx,
  userId: number,
  { origin, sessionKeys }: Pick<AuthContext, 'origin' | 'sessionKeys'>,
): Promise<{ sessionId: string; jwt: string }> {
  const [row] = await tx.sql<{ id: string; expiresAt: Date }[]>`
    insert into sessions (user_id, expires_at, address, user_agent)
    values (${userId}, now() + ${`${maximumDays} days`}::interval, ${origin.address},
      ${origin.userAgent.slice(0, userAgentLength)})
    returning id, expires_at`;
  if (!row) throw new Error('no session was made');
  const jwt = signSession(sessionKeys, { sessionId: row.id, userId, expiresAt: row.expiresAt });
  return { sessionId: row.id, jwt };
}
