import { type InternalCalls, isSubscribed, type Language, linkOf, type Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { issueToken } from '../passwords/tokens.ts';
import { findEmails } from './sql.ts';
import { unsubscribeToken } from './unsubscribe.ts';

/**
 * To whom an email goes, as it is now, and the secret of its link, which is made now; null when there is no such user any
 * more. Nothing but the link that verifies it goes to an address that is not verified.
 */
export const prepareMail: Verb<InternalCalls['auth.prepareMail'], AuthContext> = async (
  { sql },
  { userId, cause, kind },
) => {
  const [user] = await sql<{ username: string; language: Language }[]>`
    select username, language from users where id = ${userId}`;
  if (!user) return null;
  const purpose = linkOf(kind);
  if (!purpose) {
    const { verified } = await findEmails(sql, userId);
    const token = verified && isSubscribed(kind) ? await unsubscribeToken(sql, verified) : null;
    return { ...user, address: verified?.address ?? null, token, isOutdated: false };
  }
  const [sentTo] = await sql<{ address: string }[]>`
    select address from one_time_tokens join email_addresses on email_addresses.id = address_id
    where one_time_tokens.id = ${cause} and one_time_tokens.user_id = ${userId}`;
  // What concerns security is ordered although there is no address.
  if (!sentTo && purpose === 'not_me') return { ...user, address: null, token: null, isOutdated: false };
  const token = sentTo ? await issueToken(sql, cause, purpose) : null;
  return { ...user, address: sentTo?.address ?? null, token, isOutdated: token === null };
};
