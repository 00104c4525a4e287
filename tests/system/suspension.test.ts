import { type ErrorBody, errorText, memberRoles, type RouteName, type User } from '@talpa/contracts';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { makeMember } from '@talpa/test-kit/members';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { rightTo } from '@talpa/test-kit/requests/rights';
import { plainInputOf, requestOf, type TableRoute, tableRoutes } from '@talpa/test-kit/requests/route';
import { makeGamePort } from '@talpa/test-kit/requests/things';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import { beforeAll, describe, expect, it } from 'vitest';

const system = useSharedTalpa();
const reason = 'Phishing gemeldet';
const refused = [{ service: 'http_status:403' }];
const edit = { proxyLimit: 0, subscriptionTier: 'none' } as const;

let admin: Client;
beforeAll(async () => {
  admin = await system.admin();
});
const makeAdmin = ({ id, username }: User, isAdmin: boolean) =>
  admin.call('PUT /api/admin/users/:id', { ...edit, id, username, isAdmin });

/** A user with room for more, and one proxy. */
async function owner() {
  const { client, user } = await newUser(system.url, 'basic');
  const input = proxyInput();
  const { proxy } = await client.call('POST /api/tunnel-configs', input);
  const token = () => client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
  return { client, user, proxy, input, tunnelId: proxy.cfTunnelId ?? '', token, before: await token() };
}
type Owner = Awaited<ReturnType<typeof owner>>;

const ingressBecomes = (tunnelId: string, wanted: 'refused' | 'open') =>
  until(`the tunnel is ${wanted}`, async () => {
    const ingress = await providerOf(system.talpa).ingress(tunnelId);
    return (JSON.stringify(ingress) === JSON.stringify(refused)) === (wanted === 'refused');
  });

/** What a suspended owner may not do; each call’s code and text. */
async function attempts({ client, proxy, input }: Owner) {
  const { id } = proxy;
  const answers = [
    await client.try('PUT /api/tunnel-configs/:id', { ...input, id, serverName: 'Anders' }),
    await client.try('POST /api/recreate-tunnel/:id', { id }),
    await client.try('GET /api/tunnel-configs/:id/tunnel-token', { id }),
  ];
  return answers.map(({ status, body }) => ({ status, body }));
}

describe('a suspended user', () => {
  it('sees why, may look, change their password, delete and leave, but nothing else, at once', async () => {
    const his = await owner();
    const { client, user, proxy } = his;
    const suspended = await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason });
    expect(suspended).toEqual({ ...user, ...suspended, suspension: { reason, since: expect.any(String) } });

    const error = {
      status: 403,
      body: {
        code: 'account_suspended',
        message: errorText('account_suspended', 'de', { reason }),
        requestId: expect.any(String),
      },
    };
    expect(await attempts(his)).toEqual([error, error, error]);
    for (const response of [
      await client.try('POST /api/tunnel-configs', proxyInput()),
      await client.try('POST /api/user/subscription', { planId: 'premium' }),
    ])
      expect(response).toMatchObject(error);
    expect(await client.call('GET /api/user/subscription/can-create-proxy', {})).toMatchObject({
      canCreate: false,
    });

    const again = new Client(system.url);
    const seen = await again.call('POST /api/login', { username: user.username, password: testPassword });
    expect(seen.suspension?.reason).toBe(reason);
    expect((await client.call('GET /api/tunnel-configs', {}))[0]?.suspension).toEqual({
      ...suspended.suspension,
      of: 'user',
    });
    expect((await client.call('GET /api/user/export', {})).user.suspension?.reason).toBe(reason);
    await client.call('POST /api/user/password', { currentPassword: testPassword, newPassword: 'neu-12345' });
    await client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
    await client.call('POST /api/user/deletion', { password: 'neu-12345' });
  });

  it('has every proxy cut off; lifted, all is as before, with the same tokens', async () => {
    const his = await owner();
    const { user, client, tunnelId } = his;
    await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason });
    await ingressBecomes(tunnelId, 'refused');
    await admin.call('DELETE /api/admin/users/:id/suspension', { id: user.id });
    expect((await client.call('GET /api/user', {})).suspension).toBe(null);
    expect((await client.call('GET /api/tunnel-configs', {}))[0]).toMatchObject({
      suspension: null,
      cfTunnelId: tunnelId,
    });
    await ingressBecomes(tunnelId, 'open');
    expect(await his.token()).toEqual(his.before);
    await client.call('POST /api/tunnel-configs', proxyInput());
  });

  it('keeps the date when only the reason changes', async () => {
    const { user, client } = await owner();
    const { id } = user;
    const first = await admin.call('POST /api/admin/users/:id/suspension', { id, reason });
    const second = await admin.call('POST /api/admin/users/:id/suspension', { id, reason: 'Anderer Grund' });
    expect(second.suspension).toEqual({ ...first.suspension, reason: 'Anderer Grund' });
    const [proxy] = await client.call('GET /api/tunnel-configs', {});
    expect(proxy?.suspension).toEqual({ ...second.suspension, of: 'user' });
  });

  it('who is an administrator has no rights meanwhile, and gets them back', async () => {
    const { client, user } = await newUser(system.url);
    await makeAdmin(user, true);
    await client.call('GET /api/admin/users', {});
    await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason });
    expect((await client.fail('GET /api/admin/users', {})).error.code).toBe('forbidden');
    expect((await client.call('GET /api/user', {})).isAdmin).toBe(false);
    await admin.call('DELETE /api/admin/users/:id/suspension', { id: user.id });
    await client.call('GET /api/admin/users', {});
  });
});

describe('a suspended proxy', () => {
  it('is cut off, says why, and may only be deleted by its owner; administrators reach it', async () => {
    const his = await owner();
    const { client, proxy, input, tunnelId } = his;
    const { id } = proxy;
    const seen = await admin.call('POST /api/admin/tunnel-configs/:id/suspension', { id, reason });
    const suspension = { of: 'proxy', reason, since: expect.any(String) };
    expect(seen.suspension).toEqual(suspension);
    await ingressBecomes(tunnelId, 'refused');
    expect((await client.call('GET /api/tunnel-configs', {}))[0]?.suspension).toEqual(suspension);
    for (const { status, body } of await attempts(his))
      expect([status, body]).toEqual([
        403,
        expect.objectContaining({
          code: 'proxy_suspended',
          message: errorText('proxy_suspended', 'de', { reason }),
        }),
      ]);
    await client.call('GET /api/tunnel-status/:id', { id });
    await client.call('POST /api/tunnel-configs', proxyInput());

    expect(await admin.call('GET /api/tunnel-configs/:id/tunnel-token', { id })).toEqual(his.before);
    await admin.call('PUT /api/tunnel-configs/:id', { ...input, id, adminPort: 30_120 });
    expect(await providerOf(system.talpa).ingress(tunnelId)).toEqual(refused);
    await client.call('DELETE /api/tunnel-configs/:id', { id });
    expect(await client.call('GET /api/tunnel-configs', {})).toHaveLength(1);
  });

  it('that is lifted serves as before, unless its owner is suspended too', async () => {
    const his = await owner();
    const { user, proxy, tunnelId } = his;
    await admin.call('POST /api/admin/tunnel-configs/:id/suspension', { id: proxy.id, reason });
    await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason: 'Der Besitzer' });
    await ingressBecomes(tunnelId, 'refused');
    await admin.call('DELETE /api/admin/tunnel-configs/:id/suspension', { id: proxy.id });
    const [seen] = await his.client.call('GET /api/tunnel-configs', {});
    expect(seen?.suspension).toMatchObject({ of: 'user', reason: 'Der Besitzer' });
    expect(await providerOf(system.talpa).ingress(tunnelId)).toEqual(refused);
    await admin.call('DELETE /api/admin/users/:id/suspension', { id: user.id });
    await ingressBecomes(tunnelId, 'open');
    expect(await his.token()).toEqual(his.before);
  });
});

/** Whom a suspension keeps from what: each call as those who could make it otherwise, as the table of rights says. */
describe.each(['user', 'proxy'] as const)('the suspension of a %s', (of) => {
  const guests = new Map<string, Client>();
  let world: Awaited<ReturnType<typeof suspendOne>>;
  beforeAll(async () => {
    world = await suspendOne();
  });

  /** Somebody with proxies that are suspended, and members of each role. What is refused changes nothing: one is enough. */
  async function suspendOne() {
    const { client, user } = await newUser(system.url, 'enterprise');
    for (const role of memberRoles) guests.set(role, (await newUser(system.url)).client);
    const make = async () => {
      const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
      for (const role of memberRoles) await makeMember(client, proxy.id, guests.get(role) as Client, role);
      return proxy;
    };
    const { id: kept, serverId } = await make();
    const [{ id: left }, { id: deleted }] = [await make(), await make()];
    const portId = await makeGamePort(client, kept);
    await new Client(system.url).call('POST /api/login', { username: user.username, password: testPassword });
    const sessions = await client.call('GET /api/user/sessions', {});
    const session = sessions.find(({ current }) => !current)?.id;
    if (of === 'user') await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason });
    else
      for (const id of [kept, left, deleted])
        await admin.call('POST /api/admin/tunnel-configs/:id/suspension', { id, reason });
    return { client, kept, serverId, left, deleted, portId, session };
  }

  /** What a route is called with. */
  function requestTo(route: TableRoute) {
    const { kept, serverId, left, deleted, portId, session } = world;
    const spent: { readonly [N in RouteName]?: number } = {
      'POST /api/tunnel-configs/:id/leave': left,
      'DELETE /api/tunnel-configs/:id': deleted,
    };
    const own: { readonly [N in RouteName]?: object } = {
      'GET /api/subdomain-availability': { subdomain: 'neu', proxyId: kept },
      'POST /api/tunnel-configs/:id/members': { id: kept, role: 'view' },
      'PUT /api/tunnel-configs/:id/server': { id: kept, serverId },
    };
    const ids: Partial<Record<string, number | string | undefined>> = {
      ...{ proxy: spent[route.name] ?? kept, server: serverId, session },
    };
    const id = route.entry.of && ids[route.entry.of];
    const input = { ...plainInputOf(route, random), ...(id ? { id } : {}) };
    const port = route.params.includes('portId') ? { portId } : {};
    return requestOf(route, { ...(own[route.name] ?? input), ...port });
  }
  const random = randomFrom(1);
  async function codeFor(client: Client, route: TableRoute) {
    const { path, body } = requestTo(route);
    const response = await client.send(route.method, path, body);
    expect(response.status, JSON.stringify(response.body)).toBeLessThan(500);
    const { code } = (response.body ?? {}) as Partial<ErrorBody>;
    return code === 'account_suspended' || code === 'proxy_suspended' ? code : 'open';
  }
  const concerned = tableRoutes.filter(({ name, onBus }) => {
    const { access, role, isClosedAtProxies } = rightTo(name);
    return access === 'user' && onBus && (of === 'user' || role !== null || isClosedAtProxies);
  });

  it.each(concerned)('closes $name to whom it is to close it', async (route) => {
    const { role, isClosedToSuspended, isClosedAtProxies } = rightTo(route.name);
    const code = of === 'user' ? 'account_suspended' : 'proxy_suspended';
    const isClosed = of === 'user' ? isClosedToSuspended : isClosedAtProxies;
    expect(await codeFor(world.client, route)).toBe(isClosed ? code : 'open');
    const asMember = role === null ? isClosedAtProxies && 'manage' : role;
    const member = asMember && guests.get(asMember);
    if (member) expect(await codeFor(member, route)).toBe(isClosedAtProxies ? code : 'open');
    if (asMember) expect(await codeFor(admin, route)).toBe('open');
  });
});

describe('an administrator', () => {
  it('cannot suspend themselves', async () => {
    const { id } = await admin.call('GET /api/user', {});
    const { status, error } = await admin.fail('POST /api/admin/users/:id/suspension', { id, reason });
    expect([status, error.code]).toEqual([409, 'self_suspension']);
  });

  it('must say why', async () => {
    const { user, proxy } = await owner();
    for (const response of [
      await admin.fail('POST /api/admin/users/:id/suspension', { id: user.id, reason: '  ' }),
      await admin.fail('POST /api/admin/tunnel-configs/:id/suspension', { id: proxy.id, reason: '' }),
    ])
      expect([response.status, response.error.issues?.[0]?.path]).toEqual([400, ['reason']]);
  });

  it('of two who suspend each other at once stays one', async () => {
    const [one, other] = [await newUser(system.url), await newUser(system.url)];
    await makeAdmin(one.user, true);
    await makeAdmin(other.user, true);
    const answers = await Promise.all([
      one.client.try('POST /api/admin/users/:id/suspension', { id: other.user.id, reason }),
      other.client.try('POST /api/admin/users/:id/suspension', { id: one.user.id, reason }),
    ]);
    expect(answers.filter((response) => response.status < 300)).toHaveLength(1);
  });
});
