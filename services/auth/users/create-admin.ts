import type { InternalCalls, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { findUserByName, insertUser, nextUserId } from './sql.ts';

/** The operator creates an administrator; without a plan, as at a registration. */
export const createAdmin: Verb<InternalCalls['auth.createAdmin'], AuthContext> = async (context, input) => {
  if (await findUserByName(context.sql, input.username)) throw new AppError('username_taken');
  const passwordHash = await context.whileWaiting(context.passwords.hash(input.password));
  const id = await nextUserId(context.sql);
  await context.transaction(async (tx) => {
    await insertUser(tx, { id, username: input.username, passwordHash, isAdmin: true });
    await tx.audit({
      target: { kind: 'user', id, label: input.username },
      subjectUserId: id,
      changes: { isAdmin: { to: true } },
    });
  });
  return null;
};
