import { asksForFactor, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { hasFactor } from '../sessions/rights.ts';
import { lockUser } from '../users/sql.ts';
import { refuseNoWayToSignIn } from '../users/way-to-sign-in.ts';
import { lockPasskey } from './sql.ts';

/** Removes a passkey of the caller. Somebody who must have a second factor keeps one. */
export const removePasskey: Verb<Routes['DELETE /api/user/passkeys/:id'], AuthContext> = (
  context,
  { id },
) => {
  const { userId } = context.actor;
  return context.transaction(async (tx) => {
    if (!(await lockUser(tx, userId))) throw new AppError('not_signed_in');
    const { name, host } = await lockPasskey(tx.sql, id, userId);
    await tx.sql`delete from passkeys where id = ${id}`;
    if (host === context.passkeyHost) {
      if (asksForFactor(context.factorPolicy, context.actor) && !(await hasFactor(tx.sql, context, userId)))
        throw new AppError('second_factor_mandatory');
      await refuseNoWayToSignIn(tx, context, userId);
    }
    await tx.audit({ target: { kind: 'passkey', id, label: name }, subjectUserId: userId });
    const params = { changedAt: new Date().toISOString(), passkey: name };
    await orderSecurityMail(tx, userId, { kind: 'passkey_removed', params });
    tx.invalidate(userId);
    return null;
  });
};
