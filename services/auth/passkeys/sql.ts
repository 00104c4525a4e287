import type { Passkey } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';

export interface PasskeyRow {
  readonly id: number;
  readonly userId: number;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: string[];
  readonly host: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const columns = (sql: AnySql) => sql`
  id, user_id, credential_id, public_key, counter, transports, host, name, created_at, last_used_at`;

/** A passkey as its owner sees it. @param present the panel's host */
export const publicPasskey = (
  { id, name, createdAt, lastUsedAt, host }: PasskeyRow,
  present: string | null,
): Passkey => ({
  id,
  name,
  host,
  isUsable: host === present,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

/** A user's passkeys, the oldest first. */
export const passkeysOf = (sql: AnySql, userId: number): Promise<PasskeyRow[]> =>
  sql<PasskeyRow[]>`select ${columns(sql)} from passkeys where user_id = ${userId} order by id`;

export async function findPasskey(sql: AnySql, credentialId: string): Promise<PasskeyRow | undefined> {
  const [row] = await sql<PasskeyRow[]>`
    select ${columns(sql)} from passkeys where credential_id = ${credentialId}`;
  return row;
}

/** A user's own passkey, for the caller alone. @throws AppError `not_found` */
export async function lockPasskey(sql: AnySql, id: number, userId: number): Promise<PasskeyRow> {
  const [row] = await sql<PasskeyRow[]>`
    select ${columns(sql)} from passkeys where id = ${id} and user_id = ${userId} for update`;
  if (!row) throw new AppError('not_found');
  return row;
}

/** How many passkeys a user can use at the panel's present address. */
export async function countPasskeys(
  sql: AnySql,
  { passkeyHost }: Pick<AuthContext, 'passkeyHost'>,
  userId: number,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from passkeys where user_id = ${userId} and host = ${passkeyHost}`;
  return row?.count ?? 0;
}

/** Removes all passkeys of a user. The caller holds the user's row. @returns how many there were */
export async function removePasskeys(tx: Tx, userId: number): Promise<number> {
  const { count } = await tx.sql`delete from passkeys where user_id = ${userId}`;
  tx.invalidate(userId);
  return count;
}

/** The same for those that these emails announced. @param mailIds the emails' causes */
export async function removePasskeyAnnouncedBy(
  tx: Tx,
  userId: number,
  mailIds: readonly string[],
): Promise<boolean> {
  const { count } = await tx.sql`
    delete from passkeys where user_id = ${userId} and announced_by in ${tx.sql(mailIds)}`;
  tx.invalidate(userId);
  return count > 0;
}
