import { randomUUID } from 'node:crypto';
import type { RequestOf, Resource, Routes } from '@talpa/contracts';
import { type Client, newUser, proxyInput } from '../client.ts';
import { linkIdentity } from '../identities.ts';
import { invite } from '../members.ts';
import { addPasskey } from '../passkeys.ts';
import { until } from '../wait.ts';

/** An announcement that nobody gets, for users are others' too. */
export const plannedAnnouncement = {
  level: 'info',
  startsAt: '2097-12-05T06:00:00.000Z',
  endsAt: '2098-12-05T06:00:00.000Z',
  titleDe: 'Wartung',
  textDe: 'Am Samstag.',
  titleEn: 'Maintenance',
  textEn: 'On Saturday.',
} as const;

/** A channel to a server that does not exist. */
export const plainChannel: RequestOf<Routes['POST /api/user/channels']> = {
  kind: 'webhook',
  name: 'Kanal',
  topics: ['proxies'],
  url: 'https://hooks.invalid/talpa',
};

/** One of the installation; it gets nothing but announcements. */
export const plainInstallationChannel: RequestOf<Routes['POST /api/admin/channels']> = {
  ...{ ...plainChannel, topics: ['announcements'] },
};

/** Adds a domain to a proxy; gives its id. */
export const makeDomain = async (client: Client, proxyId: number | string) => {
  const host = `${randomUUID()}.example.org`;
  return (await client.call('POST /api/tunnel-configs/:id/domains', { id: Number(proxyId), host })).id;
};

const plainGamePort = {
  targetPort: 25_565,
  preset: 'other',
  rules: { kind: 'open' },
  proxyProtocol: false,
} as const;
/** Adds a game port to a proxy; gives its id. */
export const makeGamePort = async (client: Client, proxyId: number | string) =>
  (await client.call('POST /api/tunnel-configs/:id/ports', { id: Number(proxyId), ...plainGamePort })).id;

/** Makes something of each kind that belongs to a user; gives its id, which of some only an administrator knows. */
export const makers: Record<Resource, (owner: Client, administrator: Client) => Promise<number | string>> = {
  proxy: async (owner) => (await owner.call('POST /api/tunnel-configs', proxyInput())).proxy.id,
  server: async (owner) => (await owner.call('POST /api/servers', { name: 'Server' })).id,
  proxyInvitation: async (owner) => {
    const { client } = await newUser(owner.base, 'basic');
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    return invite(client, proxy.id, owner, 'view');
  },
  user: async (owner) => (await owner.call('GET /api/user', {})).id,
  invitation: async (_owner, administrator) =>
    (await administrator.call('POST /api/admin/invitations', {})).invitation.id,
  announcement: async (_owner, administrator) =>
    (await administrator.call('POST /api/admin/announcements', plannedAnnouncement)).id,
  channel: async (owner) => (await owner.call('POST /api/user/channels', plainChannel)).channel.id,
  delivery: async (owner) => {
    const { channel } = await owner.call('POST /api/user/channels', plainChannel);
    const { id } = await owner.call('POST /api/user/channels/:id/test', { id: channel.id });
    return until('the first attempt to deliver a test', async () => {
      const { state, attempts } = await owner.call('GET /api/user/deliveries/:id', { id });
      return state === 'queued' && attempts > 0 && id;
    });
  },
  installationChannel: async (_owner, administrator) =>
    (await administrator.call('POST /api/admin/channels', plainInstallationChannel)).channel.id,
  installationDelivery: async (_owner, administrator) => {
    const { channel } = await administrator.call('POST /api/admin/channels', plainInstallationChannel);
    const { id } = await administrator.call('POST /api/admin/channels/:id/test', { id: channel.id });
    return until('the first attempt to deliver a test', async () => {
      const { state, attempts } = await administrator.call('GET /api/admin/deliveries/:id', { id });
      return state === 'queued' && attempts > 0 && id;
    });
  },
  passkey: async (owner) =>
    (await addPasskey((route, input) => owner.call(route, input), owner.base)).passkey.id,
  apiKey: async (owner) =>
    (await owner.call('POST /api/user/api-keys', { name: 'Skript', scopes: ['proxies:read'], days: 90 }))
      .apiKey.id,
  enrolmentKey: async (owner) =>
    (await owner.call('POST /api/enrolment-keys', { name: 'Befehl', uses: 100 })).enrolmentKey.id,
  identity: async (owner) => (await linkIdentity(owner)).id,
  session: async (owner) => (await owner.call('GET /api/user/sessions', {}))[0]?.id ?? '',
  mail: async (owner, administrator) => {
    const { id: userId } = await owner.call('GET /api/user', {});
    await owner.call('POST /api/user/preferences', { email: `${randomUUID()}@example.org` });
    return until('the email that verifies an address', async () => {
      const [mail] = await administrator.call('GET /api/admin/mails', { userId });
      return mail?.state === 'kept' && mail.id;
    });
  },
};

/** Ids of each kind that nothing has. */
export const missingIds: Record<Resource, number | string> = {
  proxy: 999_999_999,
  server: 999_999_999,
  proxyInvitation: 999_999_999,
  user: 999_999_999,
  session: randomUUID(),
  mail: 999_999_999,
  invitation: 999_999_999,
  announcement: 999_999_999,
  channel: 999_999_999,
  delivery: 999_999_999,
  installationChannel: 999_999_999,
  installationDelivery: 999_999_999,
  passkey: 999_999_999,
  apiKey: 999_999_999,
  enrolmentKey: 999_999_999,
  identity: 999_999_999,
};
