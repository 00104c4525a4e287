import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { UserRow } from '../users/sql.ts';

/** What a one-time token is for. */
export type TokenPurpose = 'reset_password';

export interface Token {
  readonly userId: number;
  readonly state: 'valid' | 'expired' | 'used';
}

const lifetimeMs = 30 * 60_000;
/** How long used and expired tokens are kept, so that the error can say which it is. */
const keptDays = 1;

/** 32 random bytes are found by their hash: nobody can approach them by the time that a lookup takes. */
const hashOf = (token: string) => createHash('sha256').update(token).digest();

/**
 * Makes a token for a user; earlier ones for the same purpose are void.
 * @throws AppError `not_found`
 */
export async function createToken(
  tx: Tx,
  userId: number,
  purpose: TokenPurpose,
): Promise<{ token: string; expiresAt: Date }> {
  if (!(await lockUser(tx, userId))) throw new AppError('not_found');
  await voidTokens(tx, userId, purpose);
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + lifetimeMs);
  await tx.sql`
    insert into one_time_tokens (hash, user_id, purpose, expires_at)
    values (${hashOf(token)}, ${userId}, ${purpose}, ${expiresAt})`;
  return { token, expiresAt };
}

/** What a token is worth now; undefined for one that nobody made, or that is void. */
export async function findToken(
  sql: AnySql,
  token: string,
  purpose: TokenPurpose,
): Promise<Token | undefined> {
  const [row] = await sql<Token[]>`
    select user_id, case
        when used_at is not null then 'used' when expires_at <= now() then 'expired' else 'valid'
      end as state
    from one_time_tokens where hash = ${hashOf(token)} and purpose = ${purpose}`;
  return row;
}

/** Uses a token up: of those who try at once, for one alone. The caller holds its user's row. */
export async function useToken(tx: Tx, token: string, purpose: TokenPurpose): Promise<boolean> {
  const { count } = await tx.sql`
    update one_time_tokens set used_at = now()
    where hash = ${hashOf(token)} and purpose = ${purpose} and used_at is null and expires_at > now()`;
  return count > 0;
}

/** A new password makes earlier reset links void. The caller holds the user's row. */
export const voidResetTokens = (tx: Tx, userId: number): Promise<void> =>
  voidTokens(tx, userId, 'reset_password');

async function voidTokens(tx: Tx, userId: number, purpose: TokenPurpose): Promise<void> {
  await tx.sql`
    delete from one_time_tokens where user_id = ${userId} and purpose = ${purpose} and used_at is null`;
}

/** Holds off others who make or use this user's tokens or change the password. */
export async function lockUser(
  tx: Tx,
  userId: number,
): Promise<Pick<UserRow, 'username' | 'isAdmin'> | undefined> {
  const [row] = await tx.sql<Pick<UserRow, 'username' | 'isAdmin'>[]>`
    select username, is_admin from users where id = ${userId} for no key update`;
  return row;
}

export async function deleteOldTokens(sql: AnySql): Promise<void> {
  await sql`delete from one_time_tokens where expires_at < now() - ${`${keptDays} days`}::interval`;
}
