import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../app.ts';
import { findUserByName, publicUser } from '../users/sql.ts';
import { openSession } from './open.ts';

/** Signs in. A wrong name and a wrong password look and last the same. */
export const login: Verb<Routes['POST /api/login'], AuthContext> = async (context, input) => {
  const user = await findUserByName(context.sql, input.username);
  const matches = await context.whileWaiting(
    context.passwords.verify(user?.passwordHash ?? null, input.password),
  );
  if (!user || !matches) throw new AppError('invalid_credentials');
  const jwt = await context.transaction(async (tx) => {
    // The password may have been changed, or the user deleted, while it was being checked.
    const [still] = await tx.sql`
      select 1 from users where id = ${user.id} and password_hash = ${user.passwordHash} for share`;
    if (!still) throw new AppError('invalid_credentials');
    return openSession(tx, user.id, context);
  });
  context.setSession(jwt);
  return publicUser(user);
};
