import type { PasskeyAuthentication } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';
import { lockUser } from '../users/sql.ts';
import { type ChallengeScope, usePasskeyChallenge } from './challenges.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import { findPasskey, type PasskeyRow } from './sql.ts';

/** A user who has shown that they have a passkey and verified themselves to it. Their row is locked. */
interface Proven {
  readonly userId: number;
  readonly isAdmin: boolean;
  /** How they call it. */
  readonly name: string;
}

/**
 * Does something that takes a passkey. Its challenge is used up first, so that nothing can be tried twice with it.
 * @throws AppError `passkeys_unavailable`, `passkey_challenge_ended`, `passkey_refused`, `passkey_other_host`
 */
export async function provePasskey<T>(
  context: AuthContext,
  passkey: PasskeyAuthentication,
  scope: ChallengeScope,
  work: (tx: Tx, proven: Proven) => Promise<T>,
): Promise<T> {
  const party = relyingPartyOf(context);
  const challenge = await usePasskeyChallenge(context.sql, passkey.response.clientDataJSON, scope);
  const row = await findPasskey(context.sql, passkey.id);
  if (!row || (scope.purpose !== 'sign_in' && row.userId !== scope.userId))
    throw new AppError('passkey_refused');
  if (row.host !== party.host) throw new AppError('passkey_other_host', { params: { host: row.host } });
  const counter = await verify(passkey, challenge, party, row);
  return context.transaction(async (tx) => {
    const user = await lockUser(tx, row.userId);
    if (!user || !(await isTheirs(tx, row.userId, passkey))) throw new AppError('passkey_refused');
    if (!(await storeUse(tx, row.id, counter))) {
      const { id, userId } = row;
      context.log.warn(
        { passkey: id, userId, counter },
        'passkey refused: its counter did not grow, it may be a copy',
      );
      throw new AppError('passkey_refused');
    }
    tx.invalidate(row.userId);
    return work(tx, { userId: row.userId, isAdmin: user.isAdmin, name: row.name });
  });
}

/** @returns the authenticator's counter. @throws AppError `passkey_refused` */
async function verify(
  passkey: PasskeyAuthentication,
  expectedChallenge: string,
  { host, origin }: RelyingParty,
  { credentialId: id, publicKey }: PasskeyRow,
): Promise<number> {
  const { userHandle, ...response } = passkey.response;
  // As in add.ts.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...passkey,
      response: { ...response, ...(userHandle === undefined ? {} : { userHandle }) },
      clientExtensionResults: {},
    },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: host,
    // The stored counter is compared by the update that replaces it, or two could pass at once.
    credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw new AppError('passkey_refused', { cause });
  });
  if (!verified) throw new AppError('passkey_refused');
  return authenticationInfo.newCounter;
}

/** Whether the authenticator names the owner of the passkey, if it names anybody. */
async function isTheirs(
  tx: Tx,
  userId: number,
  { response: { userHandle } }: PasskeyAuthentication,
): Promise<boolean> {
  if (userHandle === undefined) return true;
  const [row] = await tx.sql`
    select 1 from users where id = ${userId} and passkey_handle = ${Buffer.from(userHandle, 'base64url')}`;
  return row !== undefined;
}

/** @returns false where an authenticator that counts has not counted on */
async function storeUse(tx: Tx, id: number, counter: number): Promise<boolean> {
  const { count } = await tx.sql`
    update passkeys set counter = ${counter}, last_used_at = now()
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`;
  return count > 0;
}
