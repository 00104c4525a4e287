import type { SecondFactor } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { countRecoveryCodes } from './recovery-codes.ts';

/** A set-up that nobody has finished is forgotten after this. */
const pendingHours = 24;

export interface AuthenticatorRow {
  readonly secret: Buffer;
  readonly keyId: string;
  readonly createdAt: Date;
  readonly confirmedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

/** A user's authenticator app, confirmed or not. */
export async function findAuthenticator(sql: AnySql, userId: number): Promise<AuthenticatorRow | undefined> {
  const [row] = await sql<AuthenticatorRow[]>`
    select secret, key_id, created_at, confirmed_at, last_used_at from authenticators where user_id = ${userId}
      and (confirmed_at is not null or created_at > now() - ${`${pendingHours} hours`}::interval)`;
  return row;
}

/** Whether a user is asked for a code. */
export async function hasFactor(sql: AnySql, userId: number): Promise<boolean> {
  const [row] = await sql`
    select 1 from authenticators where user_id = ${userId} and confirmed_at is not null`;
  return row !== undefined;
}

/** A user's second factor, as they and administrators see it. */
export async function secondFactorOf(sql: AnySql, userId: number): Promise<SecondFactor> {
  const row = await findAuthenticator(sql, userId);
  const { confirmedAt = null } = row ?? {};
  return {
    authenticator:
      row && confirmedAt
        ? { addedAt: confirmedAt.toISOString(), lastUsedAt: row.lastUsedAt?.toISOString() ?? null }
        : null,
    isPending: row !== undefined && confirmedAt === null,
    recoveryCodesLeft: await countRecoveryCodes(sql, userId),
  };
}

/**
 * Removes a user's second factor with its recovery codes. The caller holds the user's row.
 * @returns whether there was one that counted
 */
export async function removeFactor(tx: Tx, userId: number): Promise<boolean> {
  const [row] = await tx.sql<{ counted: boolean }[]>`
    delete from authenticators where user_id = ${userId} returning confirmed_at is not null as counted`;
  await tx.sql`delete from recovery_codes where user_id = ${userId}`;
  tx.invalidate(userId);
  return row?.counted ?? false;
}

/**
 * The same, if this email announced that it was added.
 * @param mailId the email's cause
 */
export async function removeFactorAnnouncedBy(tx: Tx, userId: number, mailId: string): Promise<boolean> {
  const [row] = await tx.sql`
    select 1 from authenticators where user_id = ${userId} and announced_by = ${mailId}`;
  return row !== undefined && removeFactor(tx, userId);
}

/** Deletes what nobody has finished, and what has ended. */
export async function deleteEndedFactors(sql: AnySql): Promise<void> {
  await sql`
    delete from authenticators
    where confirmed_at is null and created_at < now() - ${`${pendingHours} hours`}::interval`;
  await sql`delete from wrong_codes where window_ends_at < now()`;
}
