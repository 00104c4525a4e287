import type { ProviderSettings } from '@talpa/service-kit/settings/sign-in-providers';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ServerMetadata,
  type UserInfoResponse,
} from 'openid-client';
import {
  authorizationAddress,
  configure,
  isInsecure,
  type Profile,
  type ProviderClient,
  redeemCode,
} from './client.ts';
import { limitedFetch } from './limited-fetch.ts';

/** How long the provider's addresses are taken for known, in ms. */
const metadataLifetimeMs = 10 * 60_000;

/** A provider that speaks OpenID Connect. */
export function openIdClient(settings: ProviderSettings, redirectUri: string): ProviderClient {
  const { issuer } = settings;
  const scope = settings.createAccounts ? 'openid profile email' : 'openid profile';
  let known: { readonly metadata: Promise<ServerMetadata>; readonly at: number } | undefined;
  const metadata = async () => {
    if (!known || Date.now() > known.at + metadataLifetimeMs)
      known = { metadata: discover(settings), at: Date.now() };
    return known.metadata;
  };
  /** What fails is not cached: the provider may have moved. */
  const withProvider = async <T>(work: (configuration: ReturnType<typeof configure>) => Promise<T>) => {
    try {
      const server = await metadata();
      return await work(configure(server, settings, authenticationOf(server)));
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
  return {
    addressFor: (checks) =>
      withProvider((configuration) => authorizationAddress(configuration, { redirectUri, scope }, checks)),
    redeem: (response, checks) =>
      withProvider(async (configuration) => {
        // The signature is checked although the token comes from the provider itself: `http:` is allowed.
        enableNonRepudiationChecks(configuration);
        const tokens = await redeemCode(configuration, redirectUri, response, checks, true);
        const claims = tokens.claims();
        if (!claims) throw new Error(`${issuer} has sent no ID token`);
        return {
          subject: claims.sub,
          profile: async () => {
            const said = profileOf(claims);
            if (said.name !== '' || !configuration.serverMetadata().userinfo_endpoint) return said;
            return profileOf(await fetchUserInfo(configuration, tokens.access_token, claims.sub));
          },
        };
      }),
  };
}

async function discover({ issuer, clientId }: ProviderSettings): Promise<ServerMetadata> {
  const configuration = await discovery(new URL(issuer), clientId, undefined, undefined, {
    [customFetch]: limitedFetch,
    execute: isInsecure(issuer) ? [allowInsecureRequests] : [],
  });
  // Without the library's methods, which a copy cannot hold.
  return JSON.parse(JSON.stringify(configuration.serverMetadata())) as ServerMetadata;
}

/** How the provider wants to be shown the client's secret: by default as OpenID Connect says. */
function authenticationOf({ token_endpoint_auth_methods_supported: methods }: ServerMetadata) {
  return methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
    ? ClientSecretPost
    : ClientSecretBasic;
}

type Claims = Pick<UserInfoResponse, 'preferred_username' | 'name' | 'email' | 'email_verified'> & {
  readonly [claim: string]: unknown;
};

function profileOf({
  preferred_username: username,
  name,
  email,
  email_verified: isVerified,
}: Claims): Profile {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const address = isVerified === true ? text(email) : '';
  return { name: text(username) || text(name) || address, email: address };
}
