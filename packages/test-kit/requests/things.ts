import { randomUUID } from 'node:crypto';
import type { Resource } from '@talpa/contracts';
import { type Client, proxyInput } from '../client.ts';

/** Makes something of each kind that belongs to a user; gives its id. */
export const makers: Record<Resource, (owner: Client) => Promise<number | string>> = {
  proxy: async (owner) => (await owner.call('POST /api/tunnel-configs', proxyInput())).proxy.id,
  user: async (owner) => (await owner.call('GET /api/user', {})).id,
  session: async (owner) => (await owner.call('GET /api/user/sessions', {}))[0]?.id ?? '',
};

/** Ids of each kind that nothing has. */
export const missingIds: Record<Resource, number | string> = {
  proxy: 999_999_999,
  user: 999_999_999,
  session: randomUUID(),
};
