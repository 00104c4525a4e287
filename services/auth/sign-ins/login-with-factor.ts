import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { proveFactor } from '../second-factors/prove.ts';
import { findUser, ownUser } from '../users/sql.ts';
import { endChallenge, refuseEndedChallenge } from './challenges.ts';
import { signIn } from './sign-in.ts';

/** The second step of a sign-in: a code of the app, or a recovery code. */
export const loginWithFactor: Verb<Routes['POST /api/login/second-factor'], AuthContext> = async (
  context,
  { challenge, code },
) => {
  const claims = context.verifyChallenge(challenge);
  if (!claims) throw new AppError('challenge_ended');
  const { userId } = claims;
  const jwt = await proveFactor(context, {
    userId,
    code,
    check: (tx) => refuseEndedChallenge(tx, claims),
    work: async (tx, { isAdmin, by }) => {
      const provider = await endChallenge(tx, claims);
      return signIn(
        tx,
        context,
        { id: userId, isAdmin },
        {
          withFactor: true,
          changes: {
            ...(provider === null ? {} : { provider: { to: provider } }),
            ...(by === 'recoveryCode' ? { recoveryCode: {} } : {}),
          },
        },
      );
    },
  }).catch((error: unknown) => {
    // It was removed since: the password alone signs in now.
    if (error instanceof AppError && error.code === 'no_second_factor')
      throw new AppError('challenge_ended', { cause: error });
    throw error;
  });
  const user = await findUser(context.sql, userId);
  if (!user) throw new AppError('challenge_ended');
  context.setSession(jwt);
  return ownUser(user);
};
