import { z } from 'zod';
import { user } from '../entities.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { identity, providerRequest, signInProvider } from '../identities.ts';

/** What a provider has sent the browser back with: the query of the page `/sign-in/<provider>`. */
const providerResponse = {
  state: fields.providerParameter,
  code: fields.providerParameter.optional(),
  iss: fields.providerParameter.optional(),
  error: fields.providerParameter.optional(),
};
const providerErrors = [
  'sign_in_request_ended',
  'sign_in_refused',
  'sign_in_response_invalid',
  'sign_in_provider_unavailable',
] as const;
/** Two or three requests to the provider, each with a limit of its own. */
const deadline = 15_000;

/** Signing in with an account at a sign-in provider, and linking such accounts. */
export const identityRoutes = {
  'GET /api/sign-in-providers': entry({
    summary: 'List the providers that users can sign in with',
    procedure: 'auth.listSignInProviders',
    access: 'public',
    scope: null,
    input: z.object({}),
    response: z.array(signInProvider),
    errors: [],
  }),
  'POST /api/login/provider/request': entry({
    summary: 'Get the address at which to sign in at a provider; it is valid for ten minutes and works once',
    procedure: 'auth.startProviderLogin',
    access: 'public',
    scope: null,
    audit: null,
    input: z.object({ provider: fields.providerId }),
    response: providerRequest,
    status: 201,
    isBound: true,
    errors: ['sign_in_provider_unknown', 'sign_in_provider_unavailable', 'sign_in_request_ended'],
    deadline,
  }),
  'POST /api/login/provider': entry({
    summary: 'Sign in with what a provider has sent the browser back with',
    procedure: 'auth.loginWithProvider',
    access: 'public',
    scope: null,
    audit: 'session.signIn',
    input: z.object(providerResponse),
    response: user,
    effect: 'signIn',
    limit: 'providerSignIn',
    errors: [
      ...providerErrors,
      'identity_not_linked',
      'account_missing',
      'second_factor_required',
      'passkey_required',
    ],
    deadline,
  }),
  'POST /api/register/provider': entry({
    summary: 'Create an account for an identity that has none, and sign in',
    procedure: 'auth.registerWithProvider',
    access: 'public',
    scope: null,
    audit: 'user.register',
    input: z.object({
      /** Of the error `account_missing`. */
      challenge: fields.challenge,
      username: fields.username,
      /** Needed where EMAIL_REQUIRED is on. */
      email: fields.email.optional(),
    }),
    response: user,
    status: 201,
    effect: 'signIn',
    limit: 'register',
    errors: [
      'storage_full',
      'sign_in_request_ended',
      'username_taken',
      'username_similar',
      'username_reserved',
      'registration_closed',
      'identity_linked_elsewhere',
    ],
    deadline,
  }),
  'GET /api/user/identities': entry({
    summary: 'List your linked identities',
    procedure: 'auth.listIdentities',
    access: 'user',
    scope: null,
    input: z.object({}),
    response: z.array(identity),
    errors: ['not_signed_in'],
  }),
  'POST /api/user/identities/request': entry({
    summary: 'Get the address at which to sign in at a provider, to link that identity',
    procedure: 'auth.startIdentity',
    access: 'user',
    scope: null,
    audit: null,
    input: z.object({ provider: fields.providerId }),
    response: providerRequest,
    status: 201,
    isBound: true,
    stepUp: true,
    errors: [
      'not_signed_in',
      'identity_limit',
      'sign_in_provider_unknown',
      'sign_in_provider_unavailable',
      'sign_in_request_ended',
    ],
    deadline,
  }),
  'POST /api/user/identities': entry({
    summary: 'Link the identity with which the browser comes back from a provider',
    procedure: 'auth.linkIdentity',
    access: 'user',
    scope: null,
    audit: 'identity.link',
    input: z.object(providerResponse),
    response: identity,
    status: 201,
    isBound: true,
    stepUp: true,
    errors: [
      'not_signed_in',
      ...providerErrors,
      'identity_limit',
      'identity_linked',
      'identity_linked_elsewhere',
    ],
    deadline,
  }),
  'DELETE /api/user/identities/:id': entry({
    summary: 'Unlink an identity',
    procedure: 'auth.unlinkIdentity',
    access: 'user',
    scope: null,
    audit: 'identity.unlink',
    of: 'identity',
    input: z.object({ id: fields.id }),
    response: z.null(),
    stepUp: true,
    errors: ['not_signed_in', 'not_found', 'last_way_to_sign_in'],
  }),
  'GET /api/admin/users/:id/identities': entry({
    summary: 'List a user’s linked identities',
    procedure: 'auth.listUserIdentities',
    access: 'admin',
    scope: null,
    audit: 'user.readDetails',
    of: 'user',
    input: z.object({ id: fields.id }),
    response: z.array(identity),
    errors: ['not_signed_in', 'forbidden', 'not_found'],
  }),
} as const;
