import { createReserved, reservedUsernames, type Verbs } from '@talpa/contracts';
import { passkeyHost } from '@talpa/contracts/passkey-host';
import { republishToNewStreams } from '@talpa/service-kit/events/stream-seen';
import { openKeyRing } from '@talpa/service-kit/key-ring';
import { createPasswords } from '@talpa/service-kit/passwords';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { startResealing } from '@talpa/service-kit/reseal';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { createAssertionSigner } from '@talpa/service-kit/session/assertion';
import { openSigningKeys, openVerifyingKeys } from '@talpa/service-kit/session/keys';
import { createTokenVerifier } from '@talpa/service-kit/session/token';
import { deleteAccount } from './accounts/delete.ts';
import { exportUser } from './accounts/export.ts';
import { reportIntrusion } from './accounts/report-intrusion.ts';
import { resetAdmin } from './accounts/reset-admin.ts';
import { authenticateApiKey } from './api-keys/authenticate.ts';
import { createApiKey } from './api-keys/create.ts';
import { listApiKeys, listUserApiKeys } from './api-keys/list.ts';
import { revokeApiKey } from './api-keys/revoke.ts';
import { startCleaner } from './cleaner.ts';
import type { AuthContext } from './context.ts';
import { getOwnEmail } from './emails/get.ts';
import { prepareMail } from './emails/prepare-mail.ts';
import { readUserEmail } from './emails/read.ts';
import { requestEmailVerification } from './emails/request-verification.ts';
import { storeDeliverability } from './emails/store-deliverability.ts';
import { verifyEmail } from './emails/verify.ts';
import { startLapsing } from './entitlements/lapse.ts';
import { projectEntitlements } from './entitlements/projection.ts';
import { linkIdentity } from './identities/link.ts';
import { listIdentities, listSignInProviders, listUserIdentities } from './identities/list.ts';
import { createProviders } from './identities/providers.ts';
import { startIdentity, startProviderLogin } from './identities/start.ts';
import { unlinkIdentity } from './identities/unlink.ts';
import { createInvitation } from './invitations/create.ts';
import { listInvitations } from './invitations/list.ts';
import { listInvitedUsers } from './invitations/list-users.ts';
import { revokeInvitation } from './invitations/revoke.ts';
import { addPasskey } from './passkeys/add.ts';
import { listPasskeys } from './passkeys/list.ts';
import { removePasskey } from './passkeys/remove.ts';
import { renamePasskey } from './passkeys/rename.ts';
import { startPasskey } from './passkeys/start.ts';
import { changePassword } from './passwords/change.ts';
import { createResetLink, createResetLinkByName } from './passwords/create-reset-link.ts';
import { requestPasswordReset } from './passwords/request-reset.ts';
import { resetPassword } from './passwords/reset.ts';
import { startResetRequests } from './passwords/reset-requests.ts';
import { getPreferences } from './preferences/get.ts';
import { setPreferences } from './preferences/set.ts';
import { unsubscribe } from './preferences/unsubscribe.ts';
import { register } from './registrations/register.ts';
import { registerWithProvider } from './registrations/register-with-provider.ts';
import { readUserFactor, removeUserFactor } from './second-factors/administer.ts';
import { confirmAuthenticator } from './second-factors/confirm.ts';
import { getSecondFactor } from './second-factors/get.ts';
import { removeAuthenticator } from './second-factors/remove.ts';
import { replaceRecoveryCodes } from './second-factors/replace-recovery-codes.ts';
import { startAuthenticator } from './second-factors/start.ts';
import { endSession } from './sessions/end.ts';
import { endOtherSessions } from './sessions/end-others.ts';
import { getSession } from './sessions/get.ts';
import { listSessions } from './sessions/list.ts';
import { logout } from './sessions/logout.ts';
import type { AuthSettings } from './settings.ts';
import { createChallengeVerifier } from './sign-ins/challenges.ts';
import { login } from './sign-ins/login.ts';
import { loginWithFactor } from './sign-ins/login-with-factor.ts';
import { loginWithPasskey, startPasskeyLogin } from './sign-ins/login-with-passkey.ts';
import { loginWithProvider } from './sign-ins/login-with-provider.ts';
import { startPasskeyStepUp } from './sign-ins/start-passkey-step-up.ts';
import { stepUp } from './sign-ins/step-up.ts';
import { createUser } from './users/create.ts';
import { createAdmin } from './users/create-admin.ts';
import { deleteUser } from './users/delete.ts';
import { endUserSessions } from './users/end-sessions.ts';
import { ensureFirstAdmin } from './users/ensure-first-admin.ts';
import { findUserByTypedName } from './users/find.ts';
import { getUser } from './users/get.ts';
import { hasCustomers } from './users/has-customers.ts';
import { liftUserSuspension } from './users/lift-suspension.ts';
import { listUsers } from './users/list.ts';
import { readUser } from './users/read.ts';
import { owned, readUsers, republish, republishRow } from './users/republish.ts';
import { reservedForm } from './users/skeleton.ts';
import { suspendUser } from './users/suspend.ts';
import { updateUser } from './users/update.ts';

const verbs: Verbs<'auth', AuthContext> = {
  getUser,
  login,
  loginWithFactor,
  startPasskeyLogin,
  loginWithPasskey,
  startPasskeyStepUp,
  listPasskeys,
  startPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  listUserApiKeys,
  authenticateApiKey,
  listSignInProviders,
  startProviderLogin,
  loginWithProvider,
  registerWithProvider,
  listIdentities,
  startIdentity,
  linkIdentity,
  unlinkIdentity,
  listUserIdentities,
  getSecondFactor,
  startAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
  readUserFactor,
  removeUserFactor,
  register,
  logout,
  stepUp,
  listSessions,
  endSession,
  endOtherSessions,
  endUserSessions,
  changePassword,
  createResetLink,
  createResetLinkByName,
  requestPasswordReset,
  resetPassword,
  exportUser,
  deleteAccount,
  getPreferences,
  setPreferences,
  listUsers,
  readUser,
  readUserEmail,
  createUser,
  updateUser,
  deleteUser,
  suspendUser,
  liftUserSuspension,
  listInvitations,
  createInvitation,
  listInvitedUsers,
  revokeInvitation,
  getSession,
  ensureFirstAdmin,
  hasCustomers,
  findUser: findUserByTypedName,
  republish,
  republishRow,
  readUsers,
  createAdmin,
  resetAdmin,
  prepareMail,
  storeDeliverability,
  getOwnEmail,
  requestEmailVerification,
  verifyEmail,
  reportIntrusion,
  unsubscribe,
};

/** Users, passwords, identities, second factors, sessions, preferences. */
export async function wire(base: ServiceBase, settings: AuthSettings, lifecycle: Lifecycle) {
  const passwords = await createPasswords(settings.HASH_CONCURRENCY);
  projectEntitlements(base, lifecycle);
  republishToNewStreams(base, owned, settings.STREAM_WATCH_MS, lifecycle);
  startLapsing(base.sql, lifecycle);
  startCleaner(base.sql, lifecycle);
  startResetRequests(base, lifecycle);
  const sessionKeys = openSigningKeys(settings.SESSION_KEYS);
  const verifyingKeys = openVerifyingKeys(settings.SESSION_PUBLIC_KEYS);
  const verifyToken = createTokenVerifier(verifyingKeys);
  const verifyChallenge = createChallengeVerifier(verifyingKeys);
  const factorKeys = openKeyRing(settings.FACTOR_KEYS);
  for (const sealed of [
    { table: 'authenticators', owner: 'user_id' },
    { table: 'pending_authenticators', owner: 'session_id' },
  ])
    startResealing({ ...sealed, sql: base.sql, keys: factorKeys, setting: 'FACTOR_KEYS' }, lifecycle);
  const signAssertion = createAssertionSigner(sessionKeys);
  const isReservedName = createReserved([...reservedUsernames, ...settings.RESERVED_NAMES], reservedForm);
  const { PUBLIC_URL: publicUrl, REGISTRATION: registration, EMAIL_REQUIRED: emailRequired } = settings;
  return {
    added: {
      passwords,
      sessionKeys,
      publicUrl,
      registration,
      emailRequired,
      passkeyHost: passkeyHost(publicUrl),
      providers: createProviders(settings.SIGN_IN_PROVIDERS, publicUrl),
      isReservedName,
      verifyToken,
      signAssertion,
      verifyChallenge,
      factorKeys,
      factorPolicy: settings.SECOND_FACTOR,
      wrongCodeLimit: settings.WRONG_CODE_LIMIT_PER_QUARTER_HOUR,
      registrationProof: { after: settings.REGISTRATION_PROOF_AFTER, bits: settings.REGISTRATION_PROOF_BITS },
    },
    verbs,
  };
}
