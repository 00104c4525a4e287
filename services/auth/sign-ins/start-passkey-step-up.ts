import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { createPasskeyChallenge, lifetimeMs } from '../passkeys/challenges.ts';
import { relyingPartyOf } from '../passkeys/relying-party.ts';
import { passkeysOf } from '../passkeys/sql.ts';
import { descriptorOf } from '../passkeys/start.ts';

/** Returns what a browser needs for a step-up with a passkey of the caller. */
export const startPasskeyStepUp: Verb<Routes['POST /api/user/step-up/challenge'], AuthContext> = async (
  context,
) => {
  const { userId, sessionId } = context.actor;
  const { host: rpId } = relyingPartyOf(context);
  const challenge = await createPasskeyChallenge(context.sql, { purpose: 'step_up', userId, sessionId });
  const own = await passkeysOf(context.sql, userId);
  const allowCredentials = own.filter(({ host }) => host === rpId).map(descriptorOf);
  return { challenge, rpId, timeout: lifetimeMs, userVerification: 'required', allowCredentials };
};
