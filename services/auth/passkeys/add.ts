import type { PasskeyRegistration, Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { orderSecurityMail } from '../emails/order-security-mail.ts';
import { beginFactor } from '../sessions/begin-factor.ts';
import { lockUser } from '../users/sql.ts';
import { usePasskeyChallenge } from './challenges.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import { type PasskeyRow, passkeysOf, publicPasskey } from './sql.ts';
import { algorithms, refuseMore } from './start.ts';

/** Adds the passkey that a browser has made for a challenge of this session. A first factor ends the other sessions. */
export const addPasskey: Verb<Routes['POST /api/user/passkeys'], AuthContext> = async (
  context,
  { name, passkey },
) => {
  const { userId, sessionId } = context.actor;
  const party = relyingPartyOf(context);
  const { clientDataJSON } = passkey.response;
  const expectedChallenge = await usePasskeyChallenge(context.sql, clientDataJSON, {
    purpose: 'add',
    userId,
    sessionId,
  });
  const { id: credentialId, publicKey, counter } = await verify(passkey, expectedChallenge, party);
  return context.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('not_signed_in');
    refuseMore((await passkeysOf(tx.sql, userId)).length);
    const changes = await beginFactor(tx, context, context.actor);
    const params = { changedAt: new Date().toISOString(), passkey: name };
    const announcedBy = await orderSecurityMail(tx, userId, { kind: 'passkey_added', params });
    const [row] = await tx.sql<PasskeyRow[]>`
      insert into passkeys (user_id, credential_id, public_key, counter, transports, host, name, announced_by)
      values (${userId}, ${credentialId}, ${Buffer.from(publicKey)}, ${counter},
        ${passkey.response.transports ?? []}, ${party.host}, ${name}, ${announcedBy})
      on conflict (credential_id) do nothing
      returning id, name, host, created_at, last_used_at`;
    if (!row) throw new AppError('passkey_exists');
    await tx.audit({ target: { kind: 'passkey', id: row.id, label: name }, subjectUserId: userId, changes });
    tx.invalidate(userId);
    return publicPasskey(row, party.host);
  });
};

/** @throws AppError `passkey_refused` */
async function verify(
  passkey: PasskeyRegistration,
  expectedChallenge: string,
  { host, origin }: RelyingParty,
) {
  const { transports: _unchecked, ...response } = passkey.response;
  // Loaded when it is needed: it takes 6 MB.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...passkey, response, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((cause: unknown) => {
    throw new AppError('passkey_refused', { cause });
  });
  if (!verified) throw new AppError('passkey_refused');
  return registrationInfo.credential;
}
