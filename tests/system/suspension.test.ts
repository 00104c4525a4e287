import { randomUUID } from 'node:crypto';
import { type ErrorBody, errorText, type Resource, type RouteName, type User } from '@talpa/contracts';
import { askOperator } from '@talpa/service-kit/bus/operator';
import { Client, newUser, proxyInput, testPassword } from '@talpa/test-kit/client';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { plainInputOf, requestOf, tableRoutes } from '@talpa/test-kit/requests/route';
import { useTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import { beforeEach, describe, expect, it } from 'vitest';

const system = useTalpa();
const reason = 'Phishing gemeldet';
const refused = [{ service: 'http_status:403' }];
const edit = { proxyLimit: 0, subscriptionTier: 'none' } as const;

/** Each test has an administrator of its own, so that one failure does not become six. */
let admin: Client;
let adminUser: User;
beforeEach(async () => {
  const username = `a${randomUUID().slice(0, 12)}`;
  const natsUrl = system.talpa.stores.natsUrl('operator');
  await askOperator(natsUrl, 'auth.createAdmin', { username, password: testPassword });
  admin = new Client(system.url);
  adminUser = await admin.call('POST /api/login', { username, password: testPassword });
  for (const other of await admin.call('GET /api/admin/users', { role: 'admin' }))
    if (other.id !== adminUser.id) await makeAdmin(other, false);
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

  const closed = new Set<RouteName>([
    'POST /api/tunnel-configs',
    'PUT /api/tunnel-configs/:id',
    'POST /api/recreate-tunnel/:id',
    'GET /api/subdomain-availability',
    'GET /api/tunnel-configs/:id/tunnel-token',
    'POST /api/user/subscription',
    'POST /api/tunnel-configs/:id/members',
    'POST /api/proxy-invitations/:id/acceptance',
    'POST /api/proxy-invitation-link/acceptance',
    'PUT /api/tunnel-configs/:id/access',
    'GET /api/walls/:host',
    'POST /api/access-codes',
    'POST /api/tunnel-configs/:id/service-tokens',
    'POST /api/tunnel-configs/:id/domains',
    'POST /api/tunnel-configs/:id/domains/:domainId/check',
    'POST /api/tunnel-configs/:id/ports',
    'PUT /api/tunnel-configs/:id/ports/:portId',
    // They make requests to other people's servers.
    'POST /api/user/channels',
    'POST /api/user/channels/:id/test',
    'POST /api/user/deliveries/:id/sending',
  ]);
  const random = randomFrom(1);
  it.each(tableRoutes.filter(({ entry, onBus }) => entry.access === 'user' && onBus))(
    'is refused $name only if that is closed to them',
    async (route) => {
      const { client, user, proxy } = await owner();
      const [session] = await client.call('GET /api/user/sessions', {});
      const ids: Partial<Record<Resource, number | string | undefined>> = {
        ...{ proxy: proxy.id, session: session?.id, user: user.id },
      };
      await admin.call('POST /api/admin/users/:id/suspension', { id: user.id, reason });
      const id = route.entry.of && ids[route.entry.of];
      const { path, body } = requestOf(route, { ...plainInputOf(route, random), ...(id ? { id } : {}) });
      const response = await client.send(route.method, path, body);
      const isRefused = (response.body as ErrorBody | null)?.code === 'account_suspended';
      expect(isRefused, JSON.stringify(response.body)).toBe(closed.has(route.name));
      expect(response.status).toBeLessThan(500);
    },
  );

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
    // They do not count as the one who must stay.
    const demotion = { ...edit, id: adminUser.id, username: adminUser.username, isAdmin: false };
    expect((await admin.fail('PUT /api/admin/users/:id', demotion)).error.code).toBe('last_administrator');
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

describe('an administrator', () => {
  it('cannot suspend themselves', async () => {
    const { id } = adminUser;
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
    const { client, user } = await newUser(system.url);
    await makeAdmin(user, true);
    const { id } = adminUser;
    const answers = await Promise.all([
      admin.try('POST /api/admin/users/:id/suspension', { id: user.id, reason }),
      client.try('POST /api/admin/users/:id/suspension', { id, reason }),
    ]);
    expect(answers.filter((response) => response.status < 300)).toHaveLength(1);
  });
});
