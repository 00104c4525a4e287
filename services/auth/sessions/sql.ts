import type { Actor, CommandOf, Session } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';

/** A session ends after this many days at most, or this many without use. */
export const maximumDays = 30;
const idleDays = 7;
/** So many a user has at most. */
const mostSessions = 100;

interface SessionRow {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  address: string;
  userAgent: string;
  endsAt: Date;
}

/** What makes a session a living one. */
export const isOpen = (sql: AnySql) =>
  sql`expires_at > now() and last_used_at > now() - ${`${idleDays} days`}::interval`;

/** The open sessions of the caller, the last used first, and when the next of them ends without a call (ISO 8601). */
export async function ownSessions(
  sql: AnySql,
  actor: Pick<Actor, 'userId' | 'sessionId'>,
): Promise<{ sessions: Session[]; nextEnd: string | null }> {
  const rows = await sql<SessionRow[]>`
    select id, created_at, last_used_at, address, user_agent,
      least(expires_at, last_used_at + ${`${idleDays} days`}::interval) as ends_at
    from sessions
    where user_id = ${actor.userId} and ${isOpen(sql)} order by last_used_at desc, id limit ${mostSessions}`;
  const [nextEnd] = rows.map(({ endsAt }) => endsAt.toISOString()).sort();
  const sessions = rows.map(({ id, createdAt, lastUsedAt, address, userAgent }) => ({
    id,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    address,
    userAgent,
    current: id === actor.sessionId,
  }));
  return { sessions, nextEnd: nextEnd ?? null };
}

/** Ends one session of a user, at once on every gateway. @returns whether there was one */
export async function endSession(tx: Tx, userId: number, sessionId: string): Promise<boolean> {
  const { count } = await tx.sql`delete from sessions where id = ${sessionId} and user_id = ${userId}`;
  if (count > 0) {
    tx.invalidate(userId);
    await endVisits(tx, { userId, sessionId, except: null });
  }
  return count > 0;
}

/**
 * Ends a user's sessions, all but one of them, at once on every gateway, and what any of them has begun.
 * @param keeps what the one has begun goes on
 * @returns how many there were
 */
export async function endOtherSessions(
  tx: Tx,
  { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>,
  keeps = false,
): Promise<number> {
  const { count } =
    await tx.sql`delete from sessions where user_id = ${userId} and id is distinct from ${sessionId}`;
  // Those of the ended sessions went with them.
  for (const unfinished of keeps ? [] : ['pending_authenticators', 'passkey_challenges', 'provider_requests'])
    await tx.sql`delete from ${tx.sql(unfinished)} where user_id = ${userId}`;
  tx.invalidate(userId);
  await endVisits(tx, { userId, sessionId: null, except: sessionId });
  return count;
}

/** Ends all sessions of a user, at once on every gateway. */
export async function endAllSessions(tx: Tx, userId: number): Promise<void> {
  await tx.sql`delete from sessions where user_id = ${userId}`;
  tx.invalidate(userId);
  await endVisits(tx, { userId, sessionId: null, except: null });
}

/** The other sessions of a user need a sign-in or step-up again: theirs was made without the app there is now. */
export async function forgetStepUps(
  tx: Tx,
  { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>,
): Promise<void> {
  await tx.sql`
    update sessions set proved_at = to_timestamp(0) where user_id = ${userId} and id <> ${sessionId}`;
}

/** Has the visits of proxies end for which the user signed in with an ended session. */
const endVisits = (tx: Tx, which: Omit<CommandOf<'proxies.endVisits'>, 'at'>) =>
  tx.command('proxies.endVisits', { ...which, at: new Date().toISOString() });

/** Deletes ended sessions of all users. */
export async function deleteEndedSessions(sql: AnySql): Promise<void> {
  await sql`
    delete from sessions
    where expires_at < now() or last_used_at < now() - ${`${idleDays} days`}::interval`;
}

/** After a session was opened: ends those of its user beyond the maximum number, the least recently used first. */
export async function endSurplusSessions(tx: Tx, userId: number, newest: string): Promise<void> {
  const ended = await tx.sql<{ id: string }[]>`
    delete from sessions where id in (
      select id from sessions where user_id = ${userId} and id <> ${newest}
      order by last_used_at desc, id offset ${mostSessions - 1})
    returning id`;
  for (const { id } of ended) await endVisits(tx, { userId, sessionId: id, except: null });
  tx.invalidate(userId);
}
