import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { seal } from '@talpa/service-kit/sealed-secret';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { beginFactor } from '../sessions/begin-factor.ts';
import { forgetStepUps } from '../sessions/sql.ts';
import { lockUser } from '../users/sql.ts';
import { endPending, findPending } from './pending.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { removeApp } from './sql.ts';
import { stepOf } from './totp.ts';

/**
 * A code shows that the app has the secret: from now on signing in takes one. A former app ends in the same transaction, with its
 * recovery codes: they may be lost together; where there was no factor, all other sessions end. Only this response has the new ones.
 */
export const confirmAuthenticator: Verb<
  Routes['POST /api/user/authenticator/confirmation'],
  AuthContext
> = async (context, { code }) => {
  const { actor } = context;
  const { userId } = actor;
  const recoveryCodes = await context.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_signed_in');
    const secret = await findPending(tx.sql, context, actor);
    if (!secret) throw new AppError('no_pending_authenticator');
    const step = stepOf(secret, code);
    if (step === null) throw new AppError('wrong_code', { issues: [{ path: ['code'], key: 'codeWrong' }] });
    const changes = await beginFactor(tx, context, actor);
    const isReplaced = await removeApp(tx, userId);
    const kind = isReplaced ? 'factor_replaced' : 'factor_added';
    const params = { changedAt: new Date().toISOString() };
    const announcedBy = await orderSecurityMail(tx, userId, { kind, params });
    const sealed = seal(context.factorKeys, String(userId), secret);
    await tx.sql`
      insert into authenticators (user_id, secret, key_id, confirmed_at, last_used_at, last_step, announced_by)
      values (${userId}, ${sealed.secret}, ${sealed.keyId}, now(), now(), ${step}, ${announcedBy})`;
    await endPending(tx.sql, userId);
    await forgetStepUps(tx, actor);
    await tx.audit({
      ...(isReplaced ? { action: 'user.replaceAuthenticator' } : {}),
      target: { kind: 'user', id: userId, label: user.username },
      subjectUserId: userId,
      changes,
    });
    tx.invalidate(userId);
    return makeRecoveryCodes(tx, userId);
  });
  return { recoveryCodes };
};
