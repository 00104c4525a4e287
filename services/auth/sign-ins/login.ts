import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { refusePasswordAlone } from '../second-factors/policy.ts';
import { hasApp } from '../second-factors/sql.ts';
import { provePassword } from '../users/prove-password.ts';
import { findUserByName, ownUser, type UserRow } from '../users/sql.ts';
import { createChallenge } from './challenges.ts';
import { signIn } from './sign-in.ts';

/**
 * Signs in. A wrong name and a wrong password get the same response after the same time. Only a right password reveals whether an
 * account has a second factor.
 */
export const login: Verb<Routes['POST /api/login'], AuthContext> = async (context, input) => {
  const { user, jwt, challenge } = await provePassword(context, {
    password: input.password,
    find: () => findUserByName(context.sql, input.username),
    refusal: new AppError('invalid_credentials'),
    work: async (found) => {
      const opened = await openFor(context, found);
      return opened === null ? null : { user: found, ...opened };
    },
  });
  if (context.passwords.isOutdated(user.passwordHash)) await renewHash(context, user, input.password);
  if (challenge !== undefined) throw new AppError('second_factor_required', { params: { challenge } });
  context.setSession(jwt);
  return ownUser(user);
};

type Opened =
  | { readonly jwt: string; readonly challenge?: never }
  | { readonly challenge: string; readonly jwt?: never };

/** A session, or the challenge for one, if the user is still there and their password still the one that was checked. */
function openFor(context: AuthContext, user: UserRow): Promise<Opened | null> {
  return context.transaction(async (tx) => {
    const [still] = await tx.sql`
      select 1 from users where id = ${user.id} and password_hash = ${user.passwordHash} for no key update`;
    if (!still) return null;
    if (await hasApp(tx.sql, user.id))
      return { challenge: await createChallenge(tx, context.sessionKeys, user) };
    await refusePasswordAlone(tx.sql, context, user);
    return { jwt: await signIn(tx, context, user) };
  });
}

/** Stores the same password at today's cost, unless it has been changed meanwhile. */
async function renewHash(context: AuthContext, user: UserRow, password: string): Promise<void> {
  const renewed = await context.whileWaiting(context.passwords.hash(password));
  await context.transaction(async ({ sql }) => {
    const { count } = await sql`
      update users set password_hash = ${renewed} where id = ${user.id} and password_hash = ${user.passwordHash}`;
    if (count > 0)
      await sql`
        update sign_in_challenges set password_hash = ${renewed}
        where user_id = ${user.id} and password_hash = ${user.passwordHash}`;
  });
}
