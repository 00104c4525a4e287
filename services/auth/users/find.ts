import type { InternalCalls, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { findUserByName } from './sql.ts';

/** A user by the name that somebody has typed. */
export const findUserByTypedName: Verb<InternalCalls['auth.findUser'], AuthContext> = async (
  { reads },
  { username },
) => {
  const row = await findUserByName(reads, username);
  return row ? { id: row.id, username: row.username } : null;
};
