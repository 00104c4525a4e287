import { type InternalCalls, type Language, preferences, type Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';

/** To whom an email goes, as it is now; null when there is no such user any more. */
export const getMailRecipient: Verb<InternalCalls['auth.getMailRecipient'], AuthContext> = async (
  { reads },
  { userId },
) => {
  const [row] = await reads<{ username: string; language: Language; preferences: unknown }[]>`
    select username, language, preferences from users where id = ${userId}`;
  if (!row) return null;
  const { username, language } = row;
  return { username, language, address: preferences.parse(row.preferences).email || null };
};
