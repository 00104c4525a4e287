import { randomBytes } from 'node:crypto';
import {
  type InternalCalls,
  isRequested,
  isSubscribed,
  type Language,
  purposeOf,
  type Verb,
} from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { AuthContext } from '../context.ts';
import { issueToken } from '../one-time-tokens/sql.ts';
import { type EmailRow, findEmails, findSentTo } from './sql.ts';

/**
 * To whom an email goes, as it is now, and the secret of its link, which is made now; null when there is no such user any
 * more. Nothing but the link that verifies it goes to an address that is not verified, and only what its reader has asked for
 * to one that was refused before.
 */
export const prepareMail: Verb<InternalCalls['auth.prepareMail'], AuthContext> = async (
  { sql },
  { userId, cause, kind },
) => {
  const [user] = await sql<{ username: string; language: Language }[]>`
    select username, language from users where id = ${userId}`;
  if (!user) return null;
  const nowhere = { ...user, address: null, addressId: null, isUndeliverable: false, token: null };
  const purpose = purposeOf(kind);
  const sendTo = purpose ? await findSentTo(sql, userId, cause) : (await findEmails(sql, userId)).verified;
  // What concerns security is ordered although there is no address.
  if (!sendTo) return { ...nowhere, isOutdated: purpose !== undefined && purpose !== 'not_me' };
  const { id: addressId, address, isUndeliverable } = sendTo;
  if (isUndeliverable && !isRequested(kind)) return { ...nowhere, isOutdated: false };
  const found = { ...user, address, addressId, isUndeliverable };
  if (!purpose) {
    const token = isSubscribed(kind) ? await unsubscribeToken(sql, sendTo) : null;
    return { ...found, token, isOutdated: false };
  }
  const token = await issueToken(sql, cause, purpose);
  return { ...found, token, isOutdated: token === null };
};

/** The secret that ends the notifications to an address; each email has the same, so that an old one still does it. */
async function unsubscribeToken(sql: AnySql, { id }: Pick<EmailRow, 'id'>): Promise<string | null> {
  const made = randomBytes(32).toString('base64url');
  const [row] = await sql<{ unsubscribeToken: string }[]>`
    update email_addresses set unsubscribe_token = coalesce(unsubscribe_token, ${made}) where id = ${id}
    returning unsubscribe_token`;
  return row?.unsubscribeToken ?? null;
}
