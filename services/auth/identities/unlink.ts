import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { lockUser } from '../users/sql.ts';
import { refuseNoWayToSignIn } from '../users/way-to-sign-in.ts';
import { lockIdentity } from './sql.ts';

/** Unlinks the caller's identity; not if nothing else signs its user in. */
export const unlinkIdentity: Verb<Routes['DELETE /api/user/identities/:id'], AuthContext> = (
  context,
  { id },
) => {
  const { userId } = context.actor;
  return context.transaction(async (tx) => {
    if (!(await lockUser(tx, userId))) throw new AppError('not_signed_in');
    const { issuer } = await lockIdentity(tx.sql, id, userId);
    await tx.sql`delete from identities where id = ${id}`;
    const provider = context.providers.ofIssuer(issuer);
    if (provider) await refuseNoWayToSignIn(tx, context, userId);
    const label = provider?.label ?? new URL(issuer).host.slice(0, 60);
    // Who has come from the provider and has not given their code yet.
    await tx.sql`delete from sign_in_challenges where user_id = ${userId} and provider is not null`;
    const params = { changedAt: new Date().toISOString(), provider: label };
    await orderSecurityMail(tx, userId, { kind: 'identity_unlinked', params });
    await tx.audit({ target: { kind: 'identity', id, label }, subjectUserId: userId });
    tx.invalidate(userId);
    return null;
  });
};
