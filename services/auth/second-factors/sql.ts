import type { AuditChanges, SecondFactor } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';
import { countPasskeys, removePasskeys } from '../passkeys/sql.ts';
import { deleteOldPending, endPending, hasPending } from './pending.ts';
import { countRecoveryCodes } from './recovery-codes.ts';

export interface AuthenticatorRow {
  readonly secret: Buffer;
  readonly keyId: string;
  readonly confirmedAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A user's authenticator app. */
export async function findAuthenticator(sql: AnySql, userId: number): Promise<AuthenticatorRow | undefined> {
  const [row] = await sql<AuthenticatorRow[]>`
    select secret, key_id, confirmed_at, last_used_at from authenticators
    where user_id = ${userId} and confirmed_at is not null`;
  return row;
}

/** Whether a user has an authenticator app, so that their password takes a code too. */
export async function hasApp(sql: AnySql, userId: number): Promise<boolean> {
  const [row] = await sql`
    select 1 from authenticators where user_id = ${userId} and confirmed_at is not null`;
  return row !== undefined;
}

/** Whether a user has a password: those who came through a sign-in provider have none at first. */
async function hasPassword(sql: AnySql, userId: number): Promise<boolean> {
  const [row] = await sql`select 1 from users where id = ${userId} and has_password`;
  return row !== undefined;
}

/** Whether a session of a user was opened with a second factor, has proven one or set one up; any, where none is named. */
async function isProven(sql: AnySql, userId: number, sessionId: string | null): Promise<boolean> {
  const [row] = await sql`
    select 1 from sessions
    where user_id = ${userId} and with_factor and (${sessionId}::uuid is null or id = ${sessionId})`;
  return row !== undefined;
}

/** A user's second factor, as administrators see it, or they in one of their sessions. */
export async function secondFactorOf(
  context: Pick<AuthContext, 'sql' | 'passkeyHost'>,
  userId: number,
  sessionId: string | null = null,
): Promise<SecondFactor> {
  const { sql } = context;
  const row = await findAuthenticator(sql, userId);
  return {
    authenticator: row
      ? { addedAt: row.confirmedAt.toISOString(), lastUsedAt: row.lastUsedAt?.toISOString() ?? null }
      : null,
    isPending: await hasPending(sql, userId, sessionId),
    recoveryCodesLeft: await countRecoveryCodes(sql, userId),
    isProven: await isProven(sql, userId, sessionId),
    passkeys: await countPasskeys(sql, context, userId),
    hasPassword: await hasPassword(sql, userId),
  };
}

/** What was removed of a user's second factors. */
export interface RemovedFactors {
  readonly app: boolean;
  readonly passkeys: number;
}

/** Removes a user's authenticator app, also one that waits to be confirmed, and passkeys. The caller holds the user's row. */
export async function removeFactors(tx: Tx, userId: number): Promise<RemovedFactors> {
  await endPending(tx.sql, userId);
  return { app: await removeApp(tx, userId), passkeys: await removePasskeys(tx, userId) };
}

/** The same, as the audit trail records it. */
export const removedChanges = ({ app, passkeys }: RemovedFactors): AuditChanges => ({
  ...(app ? { authenticator: {} } : {}),
  ...(passkeys > 0 ? { passkeys: { from: passkeys, to: 0 } } : {}),
});

/**
 * Removes a user's authenticator app with its recovery codes. The caller holds the user's row.
 * @returns whether there was one that counted
 */
export async function removeApp(tx: Tx, userId: number): Promise<boolean> {
  const [row] = await tx.sql<{ counted: boolean }[]>`
    delete from authenticators where user_id = ${userId} returning confirmed_at is not null as counted`;
  await tx.sql`delete from recovery_codes where user_id = ${userId}`;
  tx.invalidate(userId);
  return row?.counted ?? false;
}

/**
 * The same, if one of these emails announced that it was added.
 * @param mailIds the emails' causes
 */
export async function removeAppAnnouncedBy(
  tx: Tx,
  userId: number,
  mailIds: readonly string[],
): Promise<boolean> {
  const [row] = await tx.sql`
    select 1 from authenticators where user_id = ${userId} and announced_by in ${tx.sql(mailIds)}`;
  return row !== undefined && removeApp(tx, userId);
}

/** Deletes what nobody has finished, and what has ended. */
export async function deleteEndedFactors(sql: AnySql): Promise<void> {
  await deleteOldPending(sql);
  await sql`delete from wrong_codes where window_ends_at < now()`;
}
