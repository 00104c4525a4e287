import type { Resource } from '@talpa/contracts';
import { type Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { makeMember } from '@talpa/test-kit/members';
import type { Random } from '@talpa/test-kit/requests/random';
import { makeDomain, makeGamePort, makers } from '@talpa/test-kit/requests/things';

export const actorNames = ['anonymous', 'user', 'other', 'admin'] as const;
export type ActorName = (typeof actorNames)[number];

/** Somebody whose requests are made up. */
export interface FuzzActor {
  readonly name: ActorName;
  /** Null for nobody. */
  readonly client: Client | null;
  readonly username: string;
  readonly password: string;
  /** What nobody but they and administrators may ever be shown. */
  readonly secrets: Set<string>;
}

/** Who there is, what belongs to whom, and what may be broken. */
export interface World {
  readonly actors: Readonly<Record<ActorName, FuzzActor>>;
  /** Secrets of somebody who only has things and does nothing. */
  readonly victim: FuzzActor & { readonly client: Client };
  /** Ids in paths, by what they name: of all users’ that may be changed and deleted. */
  readonly ids: Readonly<Record<Resource, (string | number)[]>>;
  /** Custom domains, each with its proxy. */
  readonly domains: { readonly proxyId: string; readonly id: number }[];
  /** Game ports, likewise. */
  readonly ports: { readonly proxyId: string; readonly id: number }[];
  /** Members and invitations, each with its proxy. */
  readonly members: { readonly proxyId: string; readonly id: number }[];
  /** Service tokens, each with its proxy. */
  readonly tokens: { readonly proxyId: string; readonly id: number }[];
}

const proxiesEach = 3;

/** Somebody with a plan, a few proxies, and secrets in every place that holds some. */
async function settle(
  base: string,
  name: ActorName,
  random: Random,
): Promise<FuzzActor & { client: Client }> {
  const { client, user } = await newUser(base, 'enterprise');
  const email = `canary-${random.word(12)}@example.org`;
  await client.call('POST /api/user/preferences', { email });
  const secrets = new Set([user.username, email, client.cookie.slice(client.cookie.indexOf('=') + 1)]);
  for (let made = 0; made < proxiesEach; made += 1) {
    const input = proxyInput(`Canary ${random.word(12)}`);
    const { proxy } = await client.call('POST /api/tunnel-configs', input);
    const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    for (const secret of [input.serverName, proxy.cfDomain, proxy.cfTunnelId, token])
      if (secret) secrets.add(secret);
  }
  return { name, client, username: user.username, password: testPassword, secrets };
}

/** Proxies of a user of their own that somebody is a member of, and may leave. */
async function sharedWith(base: string, member: Client): Promise<number[]> {
  const { client } = await newUser(base, 'enterprise');
  return inTurn(4, async () => {
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    await makeMember(client, proxy.id, member, 'operate');
    return proxy.id;
  });
}

/** One after the other: requests to a provider share the cookie that marks the browser. */
async function inTurn<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
}

/** Parts of a proxy that nobody deletes: calls about them are served however soon the proxies of others are gone. */
async function partsOfOne(base: string) {
  const { client } = await newUser(base, 'enterprise');
  const { id } = (await client.call('POST /api/tunnel-configs', proxyInput())).proxy;
  const several = async (make: typeof makeDomain) =>
    (await inTurn(6, () => make(client, id))).map((part) => ({ proxyId: String(id), id: part }));
  return { domains: await several(makeDomain), ports: await several(makeGamePort) };
}

/** Fills a new system with people. */
export async function createWorld(base: string, root: Client, random: Random): Promise<World> {
  const user = await settle(base, 'user', random);
  const other = await settle(base, 'other', random);
  const admin = await settle(base, 'admin', random);
  const victim = await settle(base, 'other', random);
  const me = await admin.client.call('GET /api/user', {});
  const own = { username: me.username, proxyLimit: 25, subscriptionTier: 'enterprise' } as const;
  await root.call('PUT /api/admin/users/:id', { id: me.id, ...own, isAdmin: true });

  const expendable = await Promise.all(Array.from({ length: 6 }, () => newUser(base, 'basic')));
  const proxies = async (client: Client) =>
    (await client.call('GET /api/tunnel-configs', {})).map(({ id }) => id);
  const sessions = async (client: Client) =>
    (await client.call('GET /api/user/sessions', {})).map(({ id }) => id);
  return {
    actors: {
      anonymous: { name: 'anonymous', client: null, username: '', password: '', secrets: new Set() },
      user,
      other,
      admin,
    },
    victim,
    ...(await partsOfOne(base)),
    members: [],
    tokens: [],
    ids: {
      user: expendable.map((one) => one.user.id),
      proxy: [
        ...(await proxies(user.client)),
        ...(await proxies(other.client)),
        ...(await proxies(admin.client)),
        ...(await sharedWith(base, user.client)),
        ...(await sharedWith(base, other.client)),
      ],
      server: await Promise.all(
        [user, other].flatMap(({ client }) => Array.from({ length: 4 }, () => makers.server(client, root))),
      ),
      proxyInvitation: await Promise.all(
        [user, other].flatMap(({ client }) =>
          Array.from({ length: 4 }, () => makers.proxyInvitation(client, root)),
        ),
      ),
      invitation: await Promise.all(
        [1, 2].map(async () => (await root.call('POST /api/admin/invitations', {})).invitation.id),
      ),
      announcement: [await makers.announcement(user.client, root)],
      // Several, for they are deleted.
      channel: await Promise.all(
        [user, other].flatMap(({ client }) => Array.from({ length: 8 }, () => makers.channel(client, root))),
      ),
      delivery: await Promise.all([user, other].map(({ client }) => makers.delivery(client, root))),
      apiKey: await Promise.all(
        [user, other].flatMap(({ client }) => Array.from({ length: 4 }, () => makers.apiKey(client, root))),
      ),
      enrolmentKey: await Promise.all(
        [user, other].flatMap(({ client }) =>
          Array.from({ length: 4 }, () => makers.enrolmentKey(client, root)),
        ),
      ),
      installationChannel: await Promise.all(
        // Many, for every administrator’s request may delete one.
        Array.from({ length: 24 }, () => makers.installationChannel(user.client, root)),
      ),
      installationDelivery: [await makers.installationDelivery(user.client, root)],
      passkey: await Promise.all(
        [user, other].flatMap(({ client }) => Array.from({ length: 4 }, () => makers.passkey(client, root))),
      ),
      identity: [
        ...(await inTurn(3, () => makers.identity(user.client, root))),
        ...(await inTurn(3, () => makers.identity(other.client, root))),
      ],
      session: [...(await sessions(user.client)), ...(await sessions(other.client))],
      mail: await Promise.all(expendable.slice(0, 2).map((one) => makers.mail(one.client, root))),
    },
  };
}
