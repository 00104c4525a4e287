import { z } from 'zod';
import { user } from '../entities.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { passkeyAuthentication } from '../passkeys.ts';
import { newAuthenticator, recoveryCodes, secondFactor } from '../second-factors.ts';

/** The second factor: an authenticator app and its recovery codes. */
export const secondFactorRoutes = {
  'POST /api/login/second-factor': entry({
    summary: 'Finish signing in with a code of the authenticator app, or with a recovery code',
    procedure: 'auth.loginWithFactor',
    access: 'public',
    scope: null,
    audit: 'session.signIn',
    input: z.object({ challenge: fields.challenge, code: fields.factorCode }),
    response: user,
    effect: 'signIn',
    limit: 'secondFactor',
    errors: ['challenge_ended', 'wrong_code'],
  }),
  'POST /api/user/step-up': entry({
    summary:
      'Prove your identity again for calls that need it: with a passkey, or with a code if you have an authenticator app, otherwise with your password',
    procedure: 'auth.stepUp',
    access: 'user',
    scope: null,
    audit: 'session.stepUp',
    input: z.object({
      password: fields.givenPassword.optional(),
      code: fields.factorCode.optional(),
      /** For a challenge of `POST /api/user/step-up/challenge`. */
      passkey: passkeyAuthentication.optional(),
    }),
    response: z.null(),
    limit: 'ownPassword',
    withoutFactor: true,
    errors: [
      'not_signed_in',
      'wrong_password',
      'password_missing',
      'wrong_code',
      'no_second_factor',
      'passkeys_unavailable',
      'passkey_challenge_ended',
      'passkey_refused',
      'passkey_other_host',
      'passkey_required',
    ],
    deadline: 15_000,
  }),
  'GET /api/user/second-factor': entry({
    summary: 'Get your second factor',
    procedure: 'auth.getSecondFactor',
    access: 'user',
    scope: null,
    input: z.object({}),
    response: secondFactor,
    withoutFactor: true,
    errors: ['not_signed_in'],
  }),
  'POST /api/user/authenticator': entry({
    summary:
      'Get the secret for an authenticator app; it counts once it is confirmed with a code in this session, in place of a former app',
    procedure: 'auth.startAuthenticator',
    access: 'user',
    scope: null,
    audit: 'user.startAuthenticator',
    input: z.object({}),
    response: newAuthenticator,
    status: 201,
    secret: true,
    stepUp: true,
    withoutFactor: true,
    errors: ['not_signed_in'],
  }),
  'POST /api/user/authenticator/confirmation': entry({
    summary:
      'Confirm an authenticator app with a code, and get recovery codes; a former app and its codes stop working, and if you had no second factor, your other sessions end',
    procedure: 'auth.confirmAuthenticator',
    access: 'user',
    scope: null,
    audit: 'user.addAuthenticator',
    input: z.object({ code: fields.appCode }),
    response: recoveryCodes,
    secret: true,
    withoutFactor: true,
    errors: ['not_signed_in', 'wrong_code', 'no_pending_authenticator'],
  }),
  // A DELETE has no body, and a code must never be in an address.
  'POST /api/user/authenticator/removal': entry({
    summary: 'Remove your authenticator app and the recovery codes',
    procedure: 'auth.removeAuthenticator',
    access: 'user',
    scope: null,
    audit: 'user.removeAuthenticator',
    input: z.object({ code: fields.factorCode }),
    response: z.null(),
    errors: ['not_signed_in', 'wrong_code', 'no_second_factor', 'second_factor_mandatory'],
  }),
  'GET /api/admin/users/:id/second-factor': entry({
    summary: 'Get a user’s second factor',
    procedure: 'auth.readUserFactor',
    access: 'admin',
    scope: null,
    of: 'user',
    input: z.object({ id: fields.id }),
    response: secondFactor,
    errors: ['not_signed_in', 'forbidden', 'not_found'],
  }),
  'DELETE /api/admin/users/:id/second-factor': entry({
    summary:
      'Remove a user’s authenticator app and passkeys, so that their password alone signs in; not your own',
    procedure: 'auth.removeUserFactor',
    access: 'admin',
    scope: null,
    stepUp: true,
    audit: 'user.removeFactor',
    of: 'user',
    input: z.object({ id: fields.id }),
    response: z.null(),
    errors: ['not_signed_in', 'forbidden', 'not_found', 'self_factor_removal', 'no_second_factor'],
  }),
  'POST /api/user/recovery-codes': entry({
    summary: 'Get new recovery codes; the earlier ones stop working',
    procedure: 'auth.replaceRecoveryCodes',
    access: 'user',
    scope: null,
    audit: 'user.replaceRecoveryCodes',
    input: z.object({ code: fields.factorCode }),
    response: recoveryCodes,
    status: 201,
    secret: true,
    errors: ['not_signed_in', 'wrong_code', 'no_second_factor'],
  }),
} as const;
