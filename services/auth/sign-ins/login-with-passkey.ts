import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { createPasskeyChallenge, lifetimeMs } from '../passkeys/challenges.ts';
import { provePasskey } from '../passkeys/prove.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';
import { findUser, ownUser } from '../users/sql.ts';
import { signIn } from './sign-in.ts';

/** Says what a browser needs to sign in with any passkey of the panel's. It names no user. */
export const startPasskeyLogin: Verb<Routes['POST /api/login/passkey/challenge'], AuthContext> = async (
  context,
) => {
  const { host: rpId } = relyingPartyOf(context);
  const challenge = await createPasskeyChallenge(context.sql, { purpose: 'sign_in' });
  return { challenge, rpId, timeout: lifetimeMs, userVerification: 'required', allowCredentials: [] };
};

/** Signs in with a passkey alone: its user has verified themselves to it, so that no code is needed. */
export const loginWithPasskey: Verb<Routes['POST /api/login/passkey'], AuthContext> = async (
  context,
  { passkey },
) => {
  const { jwt, userId } = await provePasskey(
    context,
    passkey,
    { purpose: 'sign_in' },
    async (tx, { userId: id, isAdmin, name }) => ({
      jwt: await signIn(
        tx,
        context,
        { id, isAdmin },
        { withFactor: true, changes: { passkey: { to: name } } },
      ),
      userId: id,
    }),
  );
  const user = await findUser(context.sql, userId);
  if (!user) throw new AppError('passkey_refused');
  context.setSession(jwt);
  return ownUser(user);
};
