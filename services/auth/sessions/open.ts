import type { Tx } from '@talpa/service-kit/database/transaction';
import { signSession } from '@talpa/service-kit/session/token';
import { cutUserAgent } from '@talpa/service-kit/text';
import type { AuthContext } from '../context.ts';
import { endSurplusSessions, maximumDays } from './sql.ts';

/**
 * Opens a session, and gives its id and the JWT that names it. Beyond the most a user may have, those end that were
 * used longest ago. The caller holds the user's row, so that two who sign in at once see each other.
 * @param withFactor the user has proven a second factor
 */
export async function openSession(
  tx: Tx,
  userId: number,
  { client, sessionKeys, language }: Pick<AuthContext, 'client' | 'sessionKeys' | 'language'>,
  withFactor = false,
): Promise<{ sessionId: string; jwt: string }> {
  const [row] = await tx.sql<{ id: string; expiresAt: Date }[]>`
    insert into sessions (user_id, expires_at, address, user_agent, with_factor)
    values (${userId}, now() + ${`${maximumDays} days`}::interval, ${client.address},
      ${cutUserAgent(client.userAgent)}, ${withFactor})
    returning id, expires_at`;
  if (!row) throw new Error('no session was made');
  await tx.sql`update users set language = ${language} where id = ${userId} and language <> ${language}`;
  await endSurplusSessions(tx, userId, row.id);
  const jwt = signSession(sessionKeys, { sessionId: row.id, userId, expiresAt: row.expiresAt });
  return { sessionId: row.id, jwt };
}
