import type { ProviderSettings } from '@talpa/service-kit/settings/sign-in-providers';
import { ClientSecretPost, fetchProtectedResource } from 'openid-client';
import { z } from 'zod';
import { authorizationAddress, configure, type ProviderClient, redeemCode } from './client.ts';

/** What Discord says of a user: https://discord.com/developers/docs/resources/user */
const discordUser = z.object({
  id: z.string().min(1).max(64),
  username: z.string(),
  email: z.string().nullish(),
  /** Whether the address belongs to them: people who register at Discord may enter any. */
  verified: z.boolean().nullish(),
});

/** Discord speaks OAuth 2: there is no ID token, the API says who has signed in. */
export function discordClient(settings: ProviderSettings, redirectUri: string): ProviderClient {
  const { issuer } = settings;
  const server = {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/api/oauth2/token`,
  };
  const scope = settings.createAccounts ? 'identify email' : 'identify';
  const configuration = () => configure(server, settings, ClientSecretPost);
  return {
    addressFor: (checks) => authorizationAddress(configuration(), { redirectUri, scope }, checks),
    redeem: async (response, checks) => {
      const client = configuration();
      const { access_token: token } = await redeemCode(client, redirectUri, response, checks, false);
      const address = new URL(`${issuer}/api/users/@me`);
      const answer = await fetchProtectedResource(client, token, address, 'GET');
      if (!answer.ok) throw new Error(`${issuer} has answered ${answer.status} to who has signed in`);
      const { id, username, email, verified } = discordUser.parse(await answer.json());
      const profile = { name: username, email: (verified === true && email) || '' };
      return { subject: id, profile: async () => profile };
    },
  };
}
