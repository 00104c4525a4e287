import { planOf, type Routes, type Verb } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import { firstState } from '@talpa/service-kit/database/changes';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';
import { orderEntitlement } from '../entitlements/order.ts';
import { findInvitation, useInvitation } from '../invitations/sql.ts';
import { findUser, findUserByName, nextUserId, publicUser } from '../users/sql.ts';
import { openAccount } from './open-account.ts';
import { recordRegistration, requireProof } from './proof.ts';

/** Creates an account and signs it in; without a plan, unless an invitation brings one. */
export const register: Verb<Routes['POST /api/register'], AuthContext> = async (context, input) => {
  const { sql, passwords, registration } = context;
  const { username, email = '' } = input;
  if (registration === 'closed') throw new AppError('registration_closed');
  if (registration === 'invite' && input.invitation === undefined) throw new AppError('invitation_required');
  if (context.emailRequired && email === '') throw invalidField('email', 'required');
  // These spare the hash; what decides is in the transaction.
  const invitation = input.invitation === undefined ? null : await findInvitation(sql, input.invitation);
  if (context.isReservedName(username)) throw new AppError('username_reserved');
  if (await findUserByName(sql, username)) throw new AppError('username_taken');
  const proof = await requireProof(context, input.proof);
  const passwordHash = await context.whileWaiting(passwords.hash(input.password));
  const id = await nextUserId(sql);
  let jwt = '';
  const create = async (tx: Tx) => {
    await recordRegistration(tx, context, proof);
    const session = await openAccount(tx, context, { id, username, passwordHash, hasPassword: true, email });
    if (invitation) await useInvitation(tx, invitation, id);
    jwt = session.jwt;
    await tx.audit({
      actor: { userId: id, isAdmin: false, sessionId: session.sessionId },
      target: { kind: 'user', id, label: username },
      subjectUserId: id,
      ...(invitation
        ? { changes: firstState({ invitation: invitation.id, subscriptionTier: invitation.tier }) }
        : {}),
    });
  };
  const plan = invitation?.tier ? planOf(invitation.tier) : null;
  if (plan)
    await orderEntitlement(context, id, async (tx) => {
      await create(tx);
      const months = invitation?.months ?? undefined;
      return { userId: id, tier: plan.id, proxyLimit: plan.proxyLimit, months, version: 1 };
    });
  else await context.transaction(create);
  context.setSession(jwt);
  const user = await findUser(sql, id);
  if (!user) throw new AppError('not_signed_in');
  // The order is stored for good even when its effect is late.
  return plan
    ? { ...publicUser(user), subscriptionTier: plan.id, proxyLimit: plan.proxyLimit }
    : publicUser(user);
};
