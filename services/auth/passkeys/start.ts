import { randomBytes } from 'node:crypto';
import { type PasskeyCreationOptions, passkeysPerUser, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';
import { lockUser } from '../users/sql.ts';
import { createPasskeyChallenge, lifetimeMs } from './challenges.ts';
import { relyingPartyOf } from './relying-party.ts';
import { type PasskeyRow, passkeysOf } from './sql.ts';

/** Ed25519, ES256 and RS256 (COSE): one of them every authenticator has. */
export const algorithms = [-8, -7, -257];

export const descriptorOf = ({ credentialId: id, transports }: PasskeyRow) => ({
  id,
  type: 'public-key' as const,
  transports,
});

/** Says what a browser needs to make a passkey. */
export const startPasskey: Verb<Routes['POST /api/user/passkeys/challenge'], AuthContext> = (context) => {
  const { userId, sessionId } = context.actor;
  const { host } = relyingPartyOf(context);
  return context.transaction(async (tx): Promise<PasskeyCreationOptions> => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_signed_in');
    const known = await passkeysOf(tx.sql, userId);
    refuseMore(known.length);
    const challenge = await createPasskeyChallenge(tx.sql, { purpose: 'add', userId, sessionId });
    const { username: name } = user;
    return {
      challenge,
      rp: { id: host, name: 'Talpa' },
      user: { id: (await handleOf(tx, userId)).toString('base64url'), name, displayName: name },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: lifetimeMs,
      excludeCredentials: known.filter((one) => one.host === host).map(descriptorOf),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    };
  });
};

/** @throws AppError `passkey_limit` */
export function refuseMore(count: number): void {
  if (count >= passkeysPerUser) throw new AppError('passkey_limit', { params: { limit: passkeysPerUser } });
}

/** The same for all passkeys of a user: an authenticator keeps one for each. */
async function handleOf(tx: Tx, userId: number): Promise<Buffer> {
  const [row] = await tx.sql<{ passkeyHandle: Buffer }[]>`
    update users set passkey_handle = coalesce(passkey_handle, ${randomBytes(32)})
    where id = ${userId} returning passkey_handle`;
  if (!row) throw new AppError('not_signed_in');
  return row.passkeyHandle;
}
