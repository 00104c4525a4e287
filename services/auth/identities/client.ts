import type { ProviderSettings } from '@talpa/service-kit/settings/sign-in-providers';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  type ServerMetadata,
} from 'openid-client';
import { limitedFetch } from './limited-fetch.ts';

/** How far the provider’s clock may be off, in seconds. */
const clockToleranceSeconds = 60;

/** What ties a provider's response to the request that asked for it. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  /** PKCE */
  readonly codeVerifier: string;
}

/** What a provider has added to the address it sent the browser back to. */
export interface ProviderResponse {
  readonly state: string;
  readonly code?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
}

/** What a provider says about somebody, beside who they are. Empty: nothing. */
export interface Profile {
  /** What they are called there. */
  readonly name: string;
  /** Their email address, if the provider has verified it. */
  readonly email: string;
}

/** An account at a provider whose owner is there. */
interface ProvenIdentity {
  /** By what the provider identifies the account. It never changes. */
  readonly subject: string;
  /** May ask the provider. */
  profile(): Promise<Profile>;
}

/** How one provider is spoken to. All of it throws what `problems.ts` puts into words. */
export interface ProviderClient {
  /** Where a browser goes to sign in. */
  addressFor(checks: Checks): Promise<string>;
  /** Redeems what the browser came back with. */
  redeem(response: ProviderResponse, checks: Checks): Promise<ProvenIdentity>;
}

/**
 * A client for a provider whose addresses are known. Made for each sign-in, so that the provider's keys are fetched each time and may
 * change at any moment.
 */
export function configure(
  server: ServerMetadata,
  { clientId, clientSecret, issuer }: ProviderSettings,
  authentication: (secret: string) => ClientAuth,
): Configuration {
  const client = { client_secret: clientSecret, [clockTolerance]: clockToleranceSeconds };
  const configuration = new Configuration(server, clientId, client, authentication(clientSecret));
  configuration[customFetch] = limitedFetch;
  if (isInsecure(issuer)) allowInsecureRequests(configuration);
  return configuration;
}

/** The operator has named an address without TLS. */
export const isInsecure = (issuer: string): boolean => issuer.startsWith('http:');

/** The address of the authorization request: a code, PKCE, and what the response must bring back. */
export async function authorizationAddress(
  configuration: Configuration,
  { redirectUri, scope }: { readonly redirectUri: string; readonly scope: string },
  { state, nonce, codeVerifier }: Checks,
): Promise<string> {
  const challenge = await calculatePKCECodeChallenge(codeVerifier);
  return buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).href;
}

/** Redeems the code, and checks all that the response and an ID token say. */
export function redeemCode(
  configuration: Configuration,
  redirectUri: string,
  response: ProviderResponse,
  { state, nonce, codeVerifier }: Checks,
  hasIdToken: boolean,
) {
  const address = new URL(redirectUri);
  for (const [name, value] of Object.entries(response))
    if (value !== undefined) address.searchParams.set(name, value);
  return authorizationCodeGrant(configuration, address, {
    expectedState: state,
    pkceCodeVerifier: codeVerifier,
    ...(hasIdToken ? { expectedNonce: nonce, idTokenExpected: true } : {}),
  });
}
