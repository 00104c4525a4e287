import { randomUUID } from 'node:crypto';
import type { Identity } from '@talpa/contracts';
import type { Client } from './client.ts';
import { type ProviderAnswer, signInAt } from './openid-provider.ts';

/** Links an account at the provider of `startOpenIdProvider` as people do. */
export async function linkIdentity(
  client: Client,
  account: string = randomUUID(),
  provider = 'openid',
): Promise<Identity> {
  const { url } = await client.call('POST /api/user/identities/request', { provider });
  return client.call('POST /api/user/identities', await signInAt(url, account));
}

/** Signs in at the provider, with the browser that begins at the panel. @returns what that browser comes back with */
export async function answerFor(
  client: Client,
  account: string,
  provider = 'openid',
): Promise<ProviderAnswer> {
  const { url } = await client.call('POST /api/login/provider/request', { provider });
  return signInAt(url, account);
}
