import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { provePassword } from '../passwords/prove.ts';
import { findUserByName, ownUser, type UserRow } from '../users/sql.ts';
import { describeDevice, noteDevice } from './devices.ts';
import { openSession } from './open.ts';

/** Signs in. A wrong name and a wrong password look and last the same. */
export const login: Verb<Routes['POST /api/login'], AuthContext> = async (context, input) => {
  const { user, jwt } = await provePassword(context, {
    password: input.password,
    find: () => findUserByName(context.sql, input.username),
    refusal: new AppError('invalid_credentials'),
    work: async (found) => {
      const opened = await openFor(context, found);
      return opened === null ? null : { user: found, jwt: opened };
    },
  });
  if (context.passwords.isOutdated(user.passwordHash)) await renewHash(context, user, input.password);
  context.setSession(jwt);
  return ownUser(user);
};

/** A session, if the user is still there and their password still the one that was checked. */
function openFor(context: AuthContext, user: UserRow): Promise<string | null> {
  return context.transaction(async (tx) => {
    const [still] = await tx.sql`
      select 1 from users where id = ${user.id} and password_hash = ${user.passwordHash} for no key update`;
    if (!still) return null;
    const { sessionId, jwt } = await openSession(tx, user.id, context);
    if (await noteDevice(tx, user.id, context.client)) {
      const { address: ipAddress, userAgent } = context.client;
      const params = { signedInAt: new Date().toISOString(), device: describeDevice(userAgent), ipAddress };
      await orderSecurityMail(tx, user.id, { kind: 'new_device', params });
    }
    await tx.audit({
      actor: { userId: user.id, isAdmin: user.isAdmin, sessionId },
      target: { kind: 'session', id: sessionId, label: null },
      subjectUserId: user.id,
    });
    return jwt;
  });
}

/** Stores the same password at today's cost, unless it has been changed meanwhile. */
async function renewHash(context: AuthContext, user: UserRow, password: string): Promise<void> {
  const renewed = await context.whileWaiting(context.passwords.hash(password));
  await context.sql`
    update users set password_hash = ${renewed}
    where id = ${user.id} and password_hash = ${user.passwordHash}`;
}
