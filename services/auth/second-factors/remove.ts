import { asksForFactor, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { proveOwnFactor } from './prove.ts';
import { removeApp } from './sql.ts';

/** Removes the caller's authenticator app and recovery codes: then the password alone signs in. */
export const removeAuthenticator: Verb<Routes['POST /api/user/authenticator/removal'], AuthContext> = async (
  context,
  { code },
) => {
  const { userId } = context.actor;
  if (asksForFactor(context.factorPolicy, context.actor)) throw new AppError('second_factor_mandatory');
  await proveOwnFactor(context, code, async (tx, { username }) => {
    await removeApp(tx, userId);
    await tx.audit({ target: { kind: 'user', id: userId, label: username }, subjectUserId: userId });
    const params = { changedAt: new Date().toISOString() };
    await orderSecurityMail(tx, userId, { kind: 'factor_removed', params });
  });
  return null;
};
