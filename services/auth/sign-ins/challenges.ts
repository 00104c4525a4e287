import { randomUUID } from 'node:crypto';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import { type Claims, signClaims, verifyClaims } from '@talpa/service-kit/session/jwt';
import { z } from 'zod';
import type { UserRow } from '../users/sql.ts';

const lifetimeMs = 5 * 60_000;

/** What a challenge says, or null when auth did not sign it or it has expired. */
export type VerifyChallenge = (text: string) => Claims | null;

export const createChallengeVerifier =
  (keys: KeyRing): VerifyChallenge =>
  (text) =>
    verifyClaims(keys, 'challenge', text, z.object({}));

/**
 * Stores that the password was right, or a provider has vouched for the user, and a code is awaited. What it gives grants nothing: with a
 * code it opens one session. The caller holds the user's row.
 * @param provider its label; null: it was the password
 */
export async function createChallenge(
  tx: Tx,
  keys: KeyRing,
  { id: userId, passwordHash }: Pick<UserRow, 'id' | 'passwordHash'>,
  provider: string | null = null,
): Promise<string> {
  const id = randomUUID();
  const expiresAt = new Date(Date.now() + lifetimeMs);
  await tx.sql`
    insert into sign_in_challenges (id, user_id, password_hash, provider, expires_at)
    values (${id}, ${userId}, ${passwordHash}, ${provider}, ${expiresAt})`;
  return signClaims(keys, 'challenge', { sessionId: id, userId, expiresAt });
}

/**
 * The caller holds the user's row: of those who use a challenge at once, one alone gets a session.
 * @throws AppError `challenge_ended` when it was used or has expired, and after a change of the password
 */
export async function refuseEndedChallenge(tx: Tx, { sessionId: id, userId }: Claims): Promise<void> {
  const [row] = await tx.sql`
    select 1 from sign_in_challenges join users on users.id = user_id
    where sign_in_challenges.id = ${id} and user_id = ${userId} and expires_at > now()
      and sign_in_challenges.password_hash = users.password_hash`;
  if (!row) throw new AppError('challenge_ended');
}

/** @returns the label of the provider that has vouched for the user; null: it was the password */
export async function endChallenge(tx: Tx, { sessionId: id }: Claims): Promise<string | null> {
  const [row] = await tx.sql<{ provider: string | null }[]>`
    delete from sign_in_challenges where id = ${id} returning provider`;
  return row?.provider ?? null;
}

export async function deleteEndedChallenges(sql: AnySql): Promise<void> {
  await sql`delete from sign_in_challenges where expires_at < now()`;
}
