import type { Routes, Verb } from '@talpa/contracts';
import * as fields from '@talpa/contracts/fields';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import type { Profile } from '../identities/client.ts';
import { proveIdentity } from '../identities/prove.ts';
import type { Provider } from '../identities/providers.ts';
import { deviceOf, holdNewIdentity } from '../identities/requests.ts';
import { findIdentity, shownName } from '../identities/sql.ts';
import { refusePasswordAlone } from '../second-factors/policy.ts';
import { hasApp } from '../second-factors/sql.ts';
import { findUser, ownUser, type UserRow } from '../users/sql.ts';
import { createChallenge } from './challenges.ts';
import { signIn } from './sign-in.ts';

/**
 * Signs in with an identity that is linked to a user. Email addresses are not compared: who has somebody's address at a provider gets no
 * hold of their account. The provider takes the place of the password, and of the second factor only where the operator trusts it so far.
 */
export const loginWithProvider: Verb<Routes['POST /api/login/provider'], AuthContext> = async (
  context,
  response,
) => {
  const proven = await proveIdentity(context, response, { purpose: 'sign_in' });
  const { provider, subject } = proven;
  const opened = await openFor(context, provider, subject);
  if (opened === null) throw await withoutAccount(context, provider, subject, proven.profile);
  const { user, jwt, challenge } = opened;
  if (challenge !== undefined) throw new AppError('second_factor_required', { params: { challenge } });
  context.setSession(jwt);
  return ownUser(user);
};

type Opened = { readonly user: UserRow } & (
  | { readonly jwt: string; readonly challenge?: never }
  | { readonly challenge: string; readonly jwt?: never }
);

/** A session, or the challenge for one; null when nobody has linked the identity. */
function openFor(context: AuthContext, provider: Provider, subject: string): Promise<Opened | null> {
  const { issuer, label, isTrusted } = provider;
  return context.transaction(async (tx) => {
    const identity = await findIdentity(tx.sql, issuer, subject);
    if (!identity) return null;
    const [there] = await tx.sql`select 1 from users where id = ${identity.userId} for no key update`;
    // It may have been unlinked meanwhile.
    const { count } = await tx.sql`update identities set last_used_at = now() where id = ${identity.id}`;
    const user = await findUser(tx.sql, identity.userId);
    if (!there || !user || count === 0) return null;
    tx.invalidate(user.id);
    if (!isTrusted) {
      if (await hasApp(tx.sql, user.id))
        return { user, challenge: await createChallenge(tx, context.sessionKeys, user, label) };
      await refusePasswordAlone(tx.sql, context, user);
    }
    const by = { withFactor: isTrusted, changes: { provider: { to: label } } };
    return { user, jwt: await signIn(tx, context, user, by) };
  });
}

/** Why somebody whom a provider vouches for is not signed in: they may create an account, or sign in otherwise and link it. */
async function withoutAccount(
  context: AuthContext,
  { id, label, createsAccounts }: Provider,
  subject: string,
  askProfile: () => Promise<Profile>,
): Promise<AppError> {
  if (!createsAccounts || context.registration !== 'open')
    return new AppError('identity_not_linked', { params: { provider: label } });
  const { name, email } = await askProfile();
  const challenge = await holdNewIdentity(context.sql, deviceOf(context), {
    provider: id,
    subject,
    name: shownName(name, subject),
  });
  const suggestion = { username: usernameOf(name), email: fields.givenEmail.safeParse(email).data ?? '' };
  return new AppError('account_missing', { params: { provider: label, challenge, ...suggestion } });
}

/** Of a provider's name no more is looked at, in characters: composing takes time by the square of the length. */
const longestGivenName = 200;

/** A user name made of what a provider calls somebody; empty: there is nothing to make one of. */
function usernameOf(name: string): string {
  const [beforeAt = ''] = name.split('@', 1);
  const plain = beforeAt
    .slice(0, longestGivenName)
    .normalize('NFC')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{N}\p{M}_.-]/gu, '');
  return fields.username.safeParse([...plain].slice(0, 32).join('')).data ?? '';
}
