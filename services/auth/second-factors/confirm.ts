import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { unseal } from '@talpa/service-kit/sealed-secret';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { lockUser } from '../passwords/tokens.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { findAuthenticator } from './sql.ts';
import { stepOf } from './totp.ts';

/** A code shows that the app has the secret: from now on signing in takes one. Only this response has the recovery codes. */
export const confirmAuthenticator: Verb<
  Routes['POST /api/user/authenticator/confirmation'],
  AuthContext
> = async (context, { code }) => {
  const { userId } = context.actor;
  const recoveryCodes = await context.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_signed_in');
    const row = await findAuthenticator(tx.sql, userId);
    if (!row) throw new AppError('no_second_factor');
    if (row.confirmedAt) throw new AppError('authenticator_exists');
    const step = stepOf(unseal(context.factorKeys, 'FACTOR_KEYS', String(userId), row), code);
    if (step === null) throw new AppError('wrong_code', { issues: [{ path: ['code'], key: 'codeWrong' }] });
    const params = { changedAt: new Date().toISOString() };
    const announcedBy = await orderSecurityMail(tx, userId, { kind: 'factor_added', params });
    await tx.sql`
      update authenticators set confirmed_at = now(), last_used_at = now(), last_step = ${step}, announced_by = ${announcedBy}
      where user_id = ${userId}`;
    await tx.audit({ target: { kind: 'user', id: userId, label: user.username }, subjectUserId: userId });
    tx.invalidate(userId);
    return makeRecoveryCodes(tx, userId);
  });
  return { recoveryCodes };
};
