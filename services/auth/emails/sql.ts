import type { AccountExport, OwnEmail } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { voidResetTokens, voidTokens } from '../one-time-tokens/sql.ts';
import type { UserRow } from '../users/sql.ts';

/** How long an address that was replaced is kept: a link to report the change may be sent three days late, and is valid for a week. */
const keptDays = 11;

export interface EmailRow {
  readonly id: number;
  readonly address: string;
  readonly addressKey: string;
  readonly isVerified: boolean;
  /** Mail servers refuse emails to it. */
  readonly isUndeliverable: boolean;
}

const emailColumns = (sql: AnySql) => sql`
  id, address, address_key, verified_at is not null as is_verified,
    undeliverable_at is not null as is_undeliverable`;

/** Addresses are compared without regard to case: two accounts never have the same one. */
const keyOf = (address: string) => address.normalize('NFC').toLowerCase();

const present = (sql: AnySql, userId: number) => sql`user_id = ${userId} and ended_at is null`;

/** A user's addresses, at most one of each kind. */
export async function findEmails(
  sql: AnySql,
  userId: number,
): Promise<{ verified: EmailRow | undefined; unverified: EmailRow | undefined }> {
  const rows = await sql<EmailRow[]>`
    select ${emailColumns(sql)} from email_addresses where ${present(sql, userId)}`;
  return {
    verified: rows.find(({ isVerified }) => isVerified),
    unverified: rows.find(({ isVerified }) => !isVerified),
  };
}

/** What a user has entered last; empty: nothing. */
export const shownAddress = ({ verified, unverified }: Awaited<ReturnType<typeof findEmails>>): string =>
  (unverified ?? verified)?.address ?? '';

export async function ownEmail(sql: AnySql, userId: number): Promise<OwnEmail> {
  const { verified, unverified } = await findEmails(sql, userId);
  return {
    verified: verified?.address ?? null,
    unverified: unverified?.address ?? null,
    undeliverable: [
      ...(verified?.isUndeliverable ? ['verified' as const] : []),
      ...(unverified?.isUndeliverable ? ['unverified' as const] : []),
    ],
  };
}

/** All that are kept of a user. */
export async function exportedEmails(sql: AnySql, userId: number): Promise<AccountExport['emails']> {
  const rows = await sql<
    ({ address: string; createdAt: Date } & Record<
      'verifiedAt' | 'undeliverableAt' | 'endedAt',
      Date | null
    >)[]
  >`
    select address, created_at, verified_at, undeliverable_at, ended_at from email_addresses where user_id = ${userId} order by id`;
  return rows.map(({ address, createdAt, verifiedAt, undeliverableAt, endedAt }) => ({
    address,
    enteredAt: createdAt.toISOString(),
    verifiedAt: verifiedAt?.toISOString() ?? null,
    undeliverableSince: undeliverableAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  }));
}

async function endAddress(tx: Tx, { id }: Pick<EmailRow, 'id'>): Promise<void> {
  await tx.sql`update email_addresses set ended_at = now() where id = ${id}`;
}

/**
 * Stores what a user has entered; empty removes their address. Another one counts only once it is verified. The caller
 * holds the user's row.
 * @returns the address that is to be verified now, if it is new, and the one that no longer counts
 */
export async function enterAddress(
  tx: Tx,
  userId: number,
  address: string,
): Promise<{ readonly entered?: EmailRow | undefined; readonly removed?: EmailRow | undefined }> {
  const { verified, unverified } = await findEmails(tx.sql, userId);
  if (address === shownAddress({ verified, unverified })) return {};
  if (unverified) {
    await endAddress(tx, unverified);
    await voidTokens(tx, userId, 'verify_email');
  }
  if (address === '' && verified) await endVerified(tx, userId, verified);
  if (address === '') return { removed: verified };
  if (address === verified?.address) return {};
  const [row] = await tx.sql<EmailRow[]>`
    insert into email_addresses (user_id, address, address_key) values (${userId}, ${address}, ${keyOf(address)})
    returning ${emailColumns(tx.sql)}`;
  return { entered: row };
}

/**
 * Lets an address count again that somebody else has replaced, and ends those that were entered since. The caller holds the
 * user's row.
 * @returns false when another account has it by now: the user then has no address, so that nobody can reset the password by
 * the one that replaced it
 */
export async function takeBackAddress(tx: Tx, userId: number, id: number): Promise<boolean> {
  const { verified, unverified } = await findEmails(tx.sql, userId);
  if (unverified) await endAddress(tx, unverified);
  if (verified?.id === id) return true;
  const former = await findAddress(tx.sql, id);
  if (verified) await endAddress(tx, verified);
  if (!former?.isVerified || (await isTaken(tx, userId, former.addressKey))) return false;
  await tx.sql`update email_addresses set ended_at = null where id = ${id}`;
  return true;
}

/** Whether another account has verified an address; nobody can until the transaction ends. */
async function isTaken(tx: Tx, userId: number, addressKey: string): Promise<boolean> {
  await tx.sql`select lock_transaction(${`email ${addressKey}`})`;
  const [other] = await tx.sql`
    select 1 from email_addresses
    where address_key = ${addressKey} and verified_at is not null and ended_at is null and user_id <> ${userId}`;
  return other !== undefined;
}

/** Nothing that was sent there counts any more. */
async function endVerified(tx: Tx, userId: number, verified: EmailRow): Promise<void> {
  await endAddress(tx, verified);
  await voidResetTokens(tx, userId);
  await voidTokens(tx, userId, 'verify_email');
}

/**
 * From now on this is the user's address. The caller holds the user's row.
 * @returns the one that it replaces
 * @throws AppError `email_taken` when another account has verified it
 */
export async function verifyAddress(
  tx: Tx,
  userId: number,
  { id, addressKey }: Pick<EmailRow, 'id' | 'addressKey'>,
): Promise<EmailRow | undefined> {
  if (await isTaken(tx, userId, addressKey)) throw new AppError('email_taken');
  const { verified } = await findEmails(tx.sql, userId);
  const replaced = verified?.id === id ? undefined : verified;
  if (replaced) await endVerified(tx, userId, replaced);
  // The link was opened, so emails reach the address.
  await tx.sql`update email_addresses set verified_at = now(), undeliverable_at = null where id = ${id}`;
  return replaced;
}

/** Whose verified address this is. */
export async function findUserByEmail(
  sql: AnySql,
  address: string,
): Promise<Pick<UserRow, 'id' | 'username'> | undefined> {
  const [row] = await sql<Pick<UserRow, 'id' | 'username'>[]>`
    select users.id, username from email_addresses join users on users.id = user_id
    where address_key = ${keyOf(address)} and verified_at is not null and ended_at is null`;
  return row;
}

/** Where an email goes whose link was made for this address. */
export async function findAddress(sql: AnySql, id: number): Promise<EmailRow | undefined> {
  const [row] = await sql<EmailRow[]>`
    select ${emailColumns(sql)} from email_addresses where id = ${id}`;
  return row;
}

/** The address that an email's link was ordered for. */
export async function findSentTo(sql: AnySql, userId: number, cause: string): Promise<EmailRow | undefined> {
  const [token] = await sql<{ addressId: number | null }[]>`
    select address_id from one_time_tokens where id = ${cause} and user_id = ${userId}`;
  return token?.addressId ? findAddress(sql, token.addressId) : undefined;
}

/**
 * Stores whether mail servers refuse emails to an address.
 * @returns the user, and since when the address is undeliverable; undefined when no user has the address
 */
export async function storeUndeliverable(
  tx: Tx,
  id: number,
  isUndeliverable: boolean,
): Promise<{ userId: number; undeliverableAt: Date | null } | undefined> {
  const [row] = await tx.sql<{ userId: number; undeliverableAt: Date | null }[]>`
    update email_addresses set undeliverable_at = case when ${isUndeliverable}::boolean then coalesce(undeliverable_at, now()) end
    where id = ${id} and ended_at is null returning user_id, undeliverable_at`;
  return row;
}

export async function deleteEndedAddresses(sql: AnySql): Promise<void> {
  await sql`delete from email_addresses where ended_at < now() - ${`${keptDays} days`}::interval`;
}
