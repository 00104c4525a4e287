import { randomBytes } from 'node:crypto';
import type { Routes, Verb } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { deviceOf, useNewIdentity } from '../identities/requests.ts';
import { insertIdentity } from '../identities/sql.ts';
import { findUser, findUserByName, nextUserId, publicUser } from '../users/sql.ts';
import { openAccount } from './open-account.ts';

/** Creates an account for an identity that a provider has vouched for, and signs in. It has no password, and no plan. */
export const registerWithProvider: Verb<Routes['POST /api/register/provider'], AuthContext> = async (
  context,
  { challenge, username, email = '' },
) => {
  const { sql, passwords, providers } = context;
  if (context.registration !== 'open') throw new AppError('registration_closed');
  if (context.emailRequired && email === '') throw invalidField('email', 'required');
  const device = deviceOf(context);
  if (context.isReservedName(username)) throw new AppError('username_reserved');
  if (await findUserByName(sql, username)) throw new AppError('username_taken');
  const nobodys = randomBytes(32).toString('base64url');
  const passwordHash = await context.whileWaiting(passwords.hash(nobodys));
  const id = await nextUserId(sql);
  const jwt = await context.transaction(async (tx) => {
    // A name that is refused does not use it up: the transaction takes that back.
    const identity = await useNewIdentity(tx.sql, device, challenge);
    const provider = providers.all.find((one) => one.id === identity.provider);
    // The operator has changed the setting meanwhile.
    if (!provider?.createsAccounts) throw new AppError('sign_in_request_ended');
    const { issuer, label } = provider;
    const { subject, name } = identity;
    const session = await openAccount(tx, context, { id, username, passwordHash, hasPassword: false, email });
    const linked = await insertIdentity(tx, { userId: id, issuer, subject, name, announcedBy: null });
    if (!linked) throw new AppError('identity_linked_elsewhere', { params: { provider: label } });
    await tx.audit({
      actor: { userId: id, isAdmin: false, sessionId: session.sessionId },
      target: { kind: 'user', id, label: username },
      subjectUserId: id,
      changes: { provider: { to: label } },
    });
    return session.jwt;
  });
  context.setSession(jwt);
  const user = await findUser(sql, id);
  if (!user) throw new AppError('not_signed_in');
  return publicUser(user);
};
