import { createHash, randomBytes } from 'node:crypto';
import { type LinkPurpose, mailLimits } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';

export interface Token {
  readonly id: string;
  readonly userId: number;
  /** The address that an email took it to; null: none did. */
  readonly addressId: number | null;
  readonly state: 'valid' | 'expired' | 'used';
}
/** Only a reset link can be made without an email. */
type TokenFor<P extends LinkPurpose> = P extends 'reset_password'
  ? Token
  : Token & { readonly addressId: number };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const lifetimesMs: Readonly<Record<LinkPurpose, number>> = {
  reset_password: 30 * minuteMs,
  verify_email: 24 * hourMs,
  not_me: 7 * 24 * hourMs,
};
/** How long an email may be on its way: its link lives from when it is sent. */
const onItsWayMs = 72 * hourMs;
/** How the error codes about a link begin. */
const linkNames = {
  reset_password: 'reset_link',
  verify_email: 'verification_link',
  not_me: 'not_me_link',
} as const satisfies Record<LinkPurpose, string>;
/** How long used and expired tokens are kept, so that the error can say which it is. */
const keptDays = 1;
/** So many emails with a link for one purpose a user gets in an hour, and an address from all accounts. */
const mailsPerHour = { user: 3, address: mailLimits.verify_email.count };

/** 32 random bytes are found by their hash: nobody can approach them by the time that a lookup takes. */
const hashOf = (token: string) => createHash('sha256').update(token).digest();
const makeSecret = () => {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOf(token) };
};
const isOpen = (sql: AnySql) => sql`used_at is null and voided_at is null`;

/** Makes a token for a user; earlier ones for the same purpose are void. The caller holds the user's row. */
export async function createToken(
  tx: Tx,
  userId: number,
  purpose: LinkPurpose,
): Promise<{ token: string; expiresAt: Date }> {
  await voidTokens(tx, userId, purpose);
  const { token, hash } = makeSecret();
  const expiresAt = new Date(Date.now() + lifetimesMs[purpose]);
  await tx.sql`
    insert into one_time_tokens (user_id, purpose, hashes, expires_at)
    values (${userId}, ${purpose}, array[${hash}]::bytea[], ${expiresAt})`;
  return { token, expiresAt };
}

interface MailedToken {
  /** The email's cause. */
  readonly id: string;
  readonly userId: number;
  readonly purpose: LinkPurpose;
  readonly addressId: number;
}

/** Makes room for a token whose secret is made when its email is sent. The caller holds the user's row. */
export async function orderToken(tx: Tx, { id, userId, purpose, addressId }: MailedToken): Promise<void> {
  // Each event has a link of its own.
  if (purpose !== 'not_me') await voidTokens(tx, userId, purpose);
  const sentBefore = new Date(Date.now() + onItsWayMs);
  await tx.sql`
    insert into one_time_tokens (id, user_id, purpose, address_id, expires_at)
    values (${id}, ${userId}, ${purpose}, ${addressId}, ${sentBefore})`;
}

/**
 * Makes the secret of an email's link: another one for each attempt to send it, because an earlier one may have arrived.
 * @returns null when the link is void, used or was ordered too long ago
 */
export async function issueToken(sql: AnySql, id: string, purpose: LinkPurpose): Promise<string | null> {
  const { token, hash } = makeSecret();
  const expiresAt = new Date(Date.now() + lifetimesMs[purpose]);
  const { count } = await sql`
    update one_time_tokens set hashes = hashes || ${hash}::bytea, expires_at = ${expiresAt}
    where id = ${id} and purpose = ${purpose} and ${isOpen(sql)}
      and created_at > now() - ${onItsWayMs} * interval '1 millisecond'`;
  return count > 0 ? token : null;
}

/**
 * How long somebody has to wait for another email with such a link, in seconds; 0: not at all. Void ones count, or
 * asking again would be free.
 */
export async function waitForMail(
  sql: AnySql,
  { userId, purpose, addressKey }: Pick<MailedToken, 'userId' | 'purpose'> & { readonly addressKey: string },
): Promise<number> {
  // Without a limit of rows: the newest ten could hold too few of the address’s. The limits of emails keep them few.
  const sent = await sql<{ userId: number; addressKey: string; seconds: number }[]>`
    select one_time_tokens.user_id, address_key,
      ceil(extract(epoch from one_time_tokens.created_at + interval '1 hour' - now()))::integer as seconds
    from one_time_tokens join email_addresses on email_addresses.id = address_id
    where purpose = ${purpose} and one_time_tokens.created_at > now() - interval '1 hour'
      and (one_time_tokens.user_id = ${userId} or address_key = ${addressKey})
    order by one_time_tokens.created_at desc`;
  const ofUser = sent.filter((one) => one.userId === userId)[mailsPerHour.user - 1];
  const ofAddress = sent.filter((one) => one.addressKey === addressKey)[mailsPerHour.address - 1];
  return Math.max(ofUser?.seconds ?? 0, ofAddress?.seconds ?? 0);
}

const tokenColumns = (sql: AnySql) => sql`
  id, user_id, address_id, case
    when used_at is not null then 'used' when expires_at <= now() then 'expired' else 'valid'
  end as state`;

/**
 * Finds a token that is valid now. Only its holder can ask, so the error gives the exact reason.
 * @throws AppError `<link>_used`, `<link>_expired`, or `<link>_invalid` for one that was never made or is void
 */
export async function requireToken<P extends LinkPurpose>(
  sql: AnySql,
  token: string,
  purpose: P,
): Promise<TokenFor<P>> {
  const [found] = await sql<TokenFor<P>[]>`
    select ${tokenColumns(sql)} from one_time_tokens
    where hashes @> array[${hashOf(token)}]::bytea[] and purpose = ${purpose} and voided_at is null`;
  if (found?.state !== 'valid') throw refusalOf(purpose, found);
  return found;
}

/**
 * Uses a token up: of those who try at once, for one alone. The caller holds its user's row.
 * @throws AppError as `requireToken`
 */
export async function useToken(tx: Tx, { id }: Pick<Token, 'id'>, purpose: LinkPurpose): Promise<void> {
  const { count } = await tx.sql`
    update one_time_tokens set used_at = now()
    where id = ${id} and ${isOpen(tx.sql)} and expires_at > now()`;
  if (count > 0) return;
  const [found] = await tx.sql<Token[]>`
    select ${tokenColumns(tx.sql)} from one_time_tokens where id = ${id} and voided_at is null`;
  throw refusalOf(purpose, found);
}

function refusalOf(purpose: LinkPurpose, token: Token | undefined): AppError {
  const reason = token && token.state !== 'valid' ? token.state : 'invalid';
  return new AppError(`${linkNames[purpose]}_${reason}`);
}

/** A new password makes earlier reset links void. The caller holds the user's row. */
export const voidResetTokens = (tx: Tx, userId: number): Promise<void> =>
  voidTokens(tx, userId, 'reset_password');

/** Makes a user's open links for a purpose void. The caller holds the user's row. */
export async function voidTokens(tx: Tx, userId: number, purpose: LinkPurpose): Promise<void> {
  await tx.sql`
    update one_time_tokens set voided_at = now()
    where user_id = ${userId} and purpose = ${purpose} and ${isOpen(tx.sql)}`;
}

export async function deleteOldTokens(sql: AnySql): Promise<void> {
  await sql`delete from one_time_tokens where expires_at < now() - ${`${keptDays} days`}::interval`;
}
