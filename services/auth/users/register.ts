import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { openSession } from '../sessions/open.ts';
import { findUser, findUserByName, insertUser, nextUserId, publicUser } from './sql.ts';

/** Creates an account without a plan and signs it in. */
export const register: Verb<Routes['POST /api/register'], AuthContext> = async (context, input) => {
  const { sql, passwords } = context;
  if (context.isReservedName(input.username)) throw new AppError('username_reserved');
  // Spares the hash; the insert is what decides.
  if (await findUserByName(sql, input.username)) throw new AppError('username_taken');
  const passwordHash = await context.whileWaiting(passwords.hash(input.password));
  const id = await nextUserId(sql);
  const jwt = await context.transaction(async (tx) => {
    await insertUser(tx, { id, username: input.username, passwordHash, isAdmin: false });
    const { sessionId, jwt } = await openSession(tx, id, context);
    await tx.audit({
      actor: { userId: id, isAdmin: false, sessionId },
      target: { kind: 'user', id, label: input.username },
      subjectUserId: id,
    });
    return jwt;
  });
  context.setSession(jwt);
  const user = await findUser(sql, id);
  if (!user) throw new AppError('not_signed_in');
  return publicUser(user);
};
