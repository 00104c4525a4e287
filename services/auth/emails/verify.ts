import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { preferencesSubject } from '@talpa/service-kit/bus/subjects';
import type { AuthContext } from '../context.ts';
import { requireToken, useToken } from '../one-time-tokens/sql.ts';
import { provePassword } from '../users/prove-password.ts';
import { findUser } from '../users/sql.ts';
import { orderSecurityMail } from './order-security-mail.ts';
import { findAddress, verifyAddress } from './sql.ts';

const purpose = 'verify_email';

/**
 * Verifies an address. The link proves that one reads its emails, the password whose account it is: a stolen session, or a
 * stranger to whom a mistyped address belongs, gets no hold of an account that way.
 */
export const verifyEmail: Verb<Routes['POST /api/email-verification'], AuthContext> = async (
  context,
  { token, password },
) => {
  const found = await requireToken(context.sql, token, purpose);
  const { userId, addressId } = found;
  await provePassword(context, {
    password,
    find: async () => {
      const user = await findUser(context.sql, userId);
      if (user?.hasPassword === false) throw new AppError('password_missing');
      return user;
    },
    refusal: new AppError('wrong_password', { issues: [{ path: ['password'], key: 'passwordWrong' }] }),
    work: (user) =>
      context.transaction(async (tx) => {
        const [still] = await tx.sql`
          select 1 from users where id = ${userId} and password_hash = ${user.passwordHash} for no key update`;
        if (!still) return null;
        const address = await findAddress(tx.sql, addressId);
        if (!address) throw new AppError('verification_link_invalid');
        await useToken(tx, found, purpose);
        const replaced = await verifyAddress(tx, userId, address);
        if (replaced) {
          const params = { changedAt: new Date().toISOString() };
          await orderSecurityMail(tx, userId, { kind: 'email_changed', params }, replaced);
        }
        await tx.audit({
          actor: { userId, isAdmin: user.isAdmin, sessionId: null },
          target: { kind: 'user', id: userId, label: user.username },
          subjectUserId: userId,
        });
        tx.invalidate(userId);
        return true;
      }),
  });
  context.nc.publish(preferencesSubject(userId));
  return null;
};
