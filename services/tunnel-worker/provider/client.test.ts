import { refused, useCloudflare } from '@talpa/test-kit/cloudflare';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CallHooks, createProvider } from './client.ts';
import { ProviderError } from './errors.ts';

const cloudflare = useCloudflare();
afterEach(() => {
  vi.restoreAllMocks();
});
const account = '/accounts/account1/cfd_tunnel';
const zone = '/zones/zone1/dns_records';
const madeAt = '2026-11-03T08:15:00.000Z';

type Call = Parameters<typeof cloudflare.script>[0];
/** What is asked from now on; everything gets the same result, or the usual one. */
function asked(result?: unknown) {
  const calls: Call[] = [];
  cloudflare.script = (call) => {
    calls.push(call);
    if (result === undefined) return undefined;
    return { body: { success: true, errors: [], messages: [], result } };
  };
  return calls;
}
const queryOf = (call: Call | undefined) => Object.fromEntries(call?.query ?? []);
const made = async (name: string) => {
  const id = await createProvider(cloudflare.settings).createTunnel(name);
  const tunnel = cloudflare.tunnels.get(id);
  if (!tunnel) throw new Error('there is no tunnel');
  return Object.assign(tunnel, { created_at: madeAt });
};
/** What happens around the calls, in order. */
function recorded(more: CallHooks = {}) {
  const events: unknown[] = [];
  const hooks: CallHooks = {
    acquire: async () => void events.push('acquire'),
    onRateLimited: async (ms) => void events.push(['rate limited', ms]),
    problems: {
      worked: async (operation) => void events.push(['worked', operation]),
      failed: async (...what) => void events.push(['failed', ...what]),
    },
    ...more,
  };
  return { events, provider: createProvider(cloudflare.settings, hooks) };
}

describe('a call', () => {
  it.each([
    [
      'create tunnel',
      (provider) => provider.createTunnel('talpa-a'),
      `POST ${account}`,
      { name: 'talpa-a', config_src: 'cloudflare' },
    ],
    ['get tunnel', (provider) => provider.getTunnelStatus('t1'), `GET ${account}/t1`, {}],
    ['get tunnel', (provider) => provider.getTunnel('t1'), `GET ${account}/t1`, {}],
    ['list connections', (provider) => provider.listConnectors('t1'), `GET ${account}/t1/connections`, {}],
    ['get token', (provider) => provider.getToken('t1'), `GET ${account}/t1/token`, {}],
    [
      'put configuration',
      (provider) => provider.putConfiguration('t1', [{ hostname: 'a.example.com', origin: 'http://x:1' }]),
      `PUT ${account}/t1/configurations`,
      {
        config: {
          ingress: [{ hostname: 'a.example.com', service: 'http://x:1' }, { service: 'http_status:404' }],
        },
      },
    ],
    [
      'put configuration',
      (provider) =>
        provider.putConfiguration('t1', [
          {
            ...{ hostname: 'a.example.com', domains: ['b.example.org'], origin: 'https://x:1' },
            originOptions: {
              ...({ verifyCertificate: false, http2Origin: true } as const),
              ...{ originServerName: 'panel.example.com', httpHostHeader: 'panel.example.com:8443' },
            },
          },
        ]),
      `PUT ${account}/t1/configurations`,
      {
        config: {
          ingress: [
            ...['a.example.com', 'b.example.org'].map((hostname) => ({
              ...{ hostname, service: 'https://x:1' },
              originRequest: {
                ...{ noTLSVerify: true, originServerName: 'panel.example.com' },
                ...{ httpHostHeader: 'panel.example.com:8443', http2Origin: true },
              },
            })),
            { service: 'http_status:404' },
          ],
        },
      },
    ],
    [
      'put configuration',
      (provider) =>
        provider.putConfiguration('t1', [
          { hostname: 'a.example.com', origin: 'http://x:1', suspended: true },
          { hostname: 'b.example.com', origin: 'http://x:2', suspended: true },
        ]),
      `PUT ${account}/t1/configurations`,
      { config: { ingress: [{ service: 'http_status:403' }] } },
    ],
    [
      'put configuration',
      (provider) =>
        provider.putConfiguration('t1', [
          { hostname: 'a.example.com', origin: 'http://x:1', domains: ['c.example.org'], suspended: true },
          { hostname: 'b.example.com', origin: 'http://x:2' },
        ]),
      `PUT ${account}/t1/configurations`,
      {
        config: {
          ingress: [
            { hostname: 'a.example.com', service: 'http_status:403' },
            { hostname: 'c.example.org', service: 'http_status:403' },
            { hostname: 'b.example.com', service: 'http://x:2' },
            { service: 'http_status:404' },
          ],
        },
      },
    ],
    [
      'put configuration',
      (provider) => provider.putConfiguration('t1', []),
      `PUT ${account}/t1/configurations`,
      { config: { ingress: [{ service: 'http_status:404' }] } },
    ],
    [
      'rotate secret',
      (provider) => provider.rotateSecret('t1'),
      `PATCH ${account}/t1`,
      { tunnel_secret: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) },
    ],
    [
      'drop connections',
      (provider) => provider.dropConnections('t1'),
      `DELETE ${account}/t1/connections`,
      {},
    ],
    ['delete tunnel', (provider) => provider.deleteTunnel('t1'), `DELETE ${account}/t1`, {}],
    [
      'create record',
      (provider) => provider.createRecord('a.example.com', 'x.example', 'talpa a'),
      `POST ${zone}`,
      {
        ...{ type: 'CNAME', name: 'a.example.com', content: 'x.example', comment: 'talpa a' },
        ...{ proxied: true, ttl: 1 },
      },
    ],
    [
      'replace record',
      (provider) => provider.replaceRecord('r1', 'a.example.com', 'x.example', 'talpa a'),
      `PATCH ${zone}/r1`,
      {
        ...{ type: 'CNAME', name: 'a.example.com', content: 'x.example', comment: 'talpa a' },
        ...{ proxied: true, ttl: 1 },
      },
    ],
    ['delete record', (provider) => provider.deleteRecord('r1'), `DELETE ${zone}/r1`, {}],
    ['get zone', (provider) => provider.confirmZone('example.com'), 'GET /zones/zone1', {}],
  ] as readonly [
    string,
    (provider: ReturnType<typeof createProvider>) => Promise<unknown>,
    string,
    object,
  ][])('is one request, counted before and known afterwards: %s', async (operation, call, request, body) => {
    const record = { id: 'r1', name: 'a.example.com', proxied: true, account: { id: 'account1' } };
    const isZone = request === 'GET /zones/zone1';
    const calls = asked({ ...record, status: 'active', ...(isZone ? { name: 'example.com' } : {}) });
    const { events, provider } = recorded();
    await call(provider);
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([request]);
    expect(calls[0]?.body).toEqual(body);
    expect(events).toEqual(['acquire', ['worked', operation]]);
  });

  it('carries the token of the settings, and nothing from the environment', async () => {
    vi.stubEnv('CLOUDFLARE_API_KEY', 'key');
    vi.stubEnv('CLOUDFLARE_EMAIL', 'a@example.com');
    const fetched = vi.spyOn(globalThis, 'fetch');
    await createProvider(cloudflare.settings).createTunnel('talpa-a');
    const headers = new Headers(fetched.mock.calls[0]?.[1]?.headers);
    expect([headers.get('authorization'), headers.get('x-auth-key'), headers.get('x-auth-email')]).toEqual([
      ...['Bearer token', null, null],
    ]);
    vi.unstubAllEnvs();
  });

  it('that the budget refuses is not made', async () => {
    const error = new Error('no budget');
    const { provider } = recorded({ acquire: () => Promise.reject(error) });
    await expect(provider.createTunnel('talpa-a')).rejects.toBe(error);
    expect(cloudflare.calls).toEqual([]);
  });

  it('that fails is not repeated, and reported only where an operator can do something', async () => {
    for (const [response, code, reported] of [
      [refused(500, 1), 'passing', []],
      [refused(400, 1), 'refused', []],
      [
        refused(403, 10_000, 'text'),
        'passing',
        [['failed', 'create tunnel', 'token_refused', 'create tunnel: 403 10000 text']],
      ],
    ] as const) {
      cloudflare.calls.length = 0;
      cloudflare.script = () => response;
      const { events, provider } = recorded();
      await expect(provider.createTunnel('talpa-a')).rejects.toMatchObject({ kind: code });
      expect(events).toEqual(['acquire', ...reported]);
      expect(cloudflare.calls).toHaveLength(1);
    }
  });

  it('that comes too often pauses all others for as long as it says, or for ten seconds', async () => {
    for (const [headers, ms] of [
      [{ 'retry-after': '7' }, 7_000],
      [{}, 10_000],
    ] as const) {
      cloudflare.script = () => ({ ...refused(429, 1), headers });
      const { events, provider } = recorded();
      await expect(provider.deleteTunnel('t1')).rejects.toMatchObject({ isRateLimited: true });
      expect(events).toEqual(['acquire', ['rate limited', ms]]);
    }
  });

  it('returns the same when nobody observes it', async () => {
    const provider = createProvider(cloudflare.settings);
    await provider.createTunnel('talpa-a');
    for (const response of [refused(429, 1), refused(403, 10_000)]) {
      cloudflare.script = () => response;
      await expect(provider.createTunnel('talpa-a')).rejects.toBeInstanceOf(ProviderError);
    }
  });

  it('that is broken off is no failure of the provider', async () => {
    const stopping = new AbortController();
    cloudflare.script = () => {
      stopping.abort(new Error('stopped'));
      return undefined;
    };
    const { events, provider } = recorded({ signal: stopping.signal });
    await expect(provider.createTunnel('talpa-a')).rejects.toThrow();
    expect(events).toEqual(['acquire']);
  });
});

describe('a response without what it is for', () => {
  it.each([
    ['create tunnel', (provider) => provider.createTunnel('talpa-a')],
    ['get tunnel', (provider) => provider.getTunnelStatus('t1')],
    ['get tunnel', (provider) => provider.getTunnel('t1')],
    ['get token', (provider) => provider.getToken('t1')],
    ['create record', (provider) => provider.createRecord('a.example.com', 'x.example', 'talpa a')],
  ] as readonly [string, (provider: ReturnType<typeof createProvider>) => Promise<unknown>][])(
    'is a passing failure: %s',
    async (operation, call) => {
      asked(operation === 'get token' ? '' : {});
      await expect(call(createProvider(cloudflare.settings))).rejects.toMatchObject({
        ...{ kind: 'passing', message: `${operation}: the response is incomplete` },
      });
    },
  );
});

describe('a tunnel', () => {
  it('is found by the beginning of its name, though the provider may not know the filter', async () => {
    const tunnel = await made('talpa-a');
    cloudflare.script = ({ path }) => {
      if (path !== account) return undefined;
      const others = [{ id: 'b', name: 'home' }, { id: 'c' }, { name: 'talpa-d' }];
      const bare = { id: 'e', name: 'talpa-e' };
      return { body: { success: true, errors: [], messages: [], result: [tunnel, ...others, bare] } };
    };
    const before = Date.now();
    const found = await createProvider(cloudflare.settings).findTunnels('talpa-');
    expect(found).toEqual([
      { id: tunnel.id, name: 'talpa-a', status: 'inactive', createdAt: new Date(madeAt) },
      { id: 'e', name: 'talpa-e', status: null, createdAt: expect.any(Date) },
    ]);
    // What does not say when it was made is young: nothing removes it.
    expect(found[1]?.createdAt.getTime()).toBeGreaterThanOrEqual(before);
    const calls = asked();
    await createProvider(cloudflare.settings).findTunnels('talpa-');
    expect(calls.map(queryOf)).toEqual([
      { is_deleted: 'false', include_prefix: 'talpa-', per_page: '1000', page: '1' },
    ]);
  });

  it('is returned with its health, its age, and since when nobody is connected, until it is deleted', async () => {
    const { getTunnel, getTunnelStatus } = createProvider(cloudflare.settings);
    const tunnel = await made('talpa-a');
    Object.assign(tunnel, { status: 'down', conns_inactive_at: madeAt });
    expect(await getTunnel(tunnel.id)).toEqual({
      ...{
        id: tunnel.id,
        name: 'talpa-a',
        status: 'down',
        createdAt: new Date(madeAt),
        inactiveSince: madeAt,
      },
    });
    expect(await getTunnelStatus(tunnel.id)).toBe('down');
    Object.assign(tunnel, { status: 'healthy', conns_inactive_at: undefined });
    expect(await getTunnel(tunnel.id)).toMatchObject({ status: 'healthy', inactiveSince: null });
    Object.assign(tunnel, { status: 'inactive', conns_inactive_at: madeAt });
    expect(await getTunnel(tunnel.id)).toMatchObject({ status: 'inactive', inactiveSince: null });
    const before = Date.now();
    Object.assign(tunnel, { status: undefined, created_at: undefined });
    const bare = await getTunnel(tunnel.id);
    expect(bare?.status).toBeNull();
    expect(bare?.createdAt.getTime()).toBeGreaterThanOrEqual(before);
    tunnel.deleted_at = madeAt;
    expect([await getTunnel(tunnel.id), await getTunnelStatus(tunnel.id)]).toEqual([null, null]);
  });

  it('gives its token and its connectors as they are', async () => {
    const provider = createProvider(cloudflare.settings);
    const { id } = await made('talpa-a');
    expect(await provider.getToken(id)).toBe('token');
    const connectors = [{ id: 'c', conns: [] }];
    asked(connectors);
    expect(await provider.listConnectors(id)).toEqual(connectors);
  });

  it('gets another secret each time', async () => {
    const { secret, id } = await made('talpa-a');
    const provider = createProvider(cloudflare.settings);
    const secrets = new Set([secret]);
    for (let count = 0; count < 2; count += 1) {
      await provider.rotateSecret(id);
      secrets.add(cloudflare.tunnels.get(id)?.secret ?? '');
    }
    expect(secrets.size).toBe(3);
  });
});

describe('the rights of a token', () => {
  it('are tried with one object of a list', async () => {
    const { events, provider } = recorded();
    const calls = asked();
    await provider.readAccount();
    await provider.readRecords();
    expect(calls.map(({ path }) => path)).toEqual([account, zone]);
    expect(calls.map(queryOf)).toEqual([{ is_deleted: 'false', per_page: '1' }, { per_page: '1' }]);
    expect(events).toEqual([
      ...['acquire', ['worked', 'list tunnels']],
      ...['acquire', ['worked', 'list records']],
    ]);
  });

  it('say nothing about a zone of another account, or a domain outside it', async () => {
    const { confirmZone } = createProvider(cloudflare.settings);
    await confirmZone('play.example.com');
    await expect(confirmZone('other.example')).rejects.toMatchObject({ fault: 'domain_outside_zone' });
    cloudflare.zone = { ...cloudflare.zone, account: { id: 'account2' } };
    await expect(confirmZone('example.com')).rejects.toMatchObject({ fault: 'zone_of_another_account' });
  });
});

describe('a record', () => {
  const provider = () => createProvider(cloudflare.settings);
  const put = (id: string, name: string, comment: string, more: object = {}) =>
    cloudflare.records.set(id, {
      ...{ id, name, type: 'CNAME', content: 'x.example', proxied: true, comment, created_on: madeAt },
      ...more,
    });

  it('is found by its name, its comment or how that begins, though the provider may know no filter', async () => {
    put('1', 'a.example.com', 'talpa a');
    put('2', 'b.example.com', 'talpa ab');
    put('3', 'c.example.com', 'mine, not talpa a');
    const all = [...cloudflare.records.values(), { id: '4', name: 'd.example.com', created_on: madeAt }];
    const calls = asked(all);
    const ids = async (by: Parameters<ReturnType<typeof provider>['findRecords']>[0]) =>
      (await provider().findRecords(by)).map(({ id }) => id);
    expect(await ids({ hostname: 'b.example.com' })).toEqual(['2']);
    expect(await ids({ comment: 'talpa a' })).toEqual(['1']);
    expect(await ids({ commentPrefix: 'talpa a' })).toEqual(['1', '2']);
    const page = { order: 'name', direction: 'asc', page: '1', per_page: '1000' };
    expect(calls.map(queryOf)).toEqual([
      { 'name.exact': 'b.example.com', ...page },
      { 'comment.exact': 'talpa a', ...page },
      { 'comment.startswith': 'talpa a', ...page },
    ]);
    const found = { type: 'CNAME', createdAt: new Date(madeAt) };
    expect(await provider().findRecords({ comment: 'talpa a' })).toEqual([
      { ...found, id: '1', hostname: 'a.example.com', content: 'x.example', comment: 'talpa a' },
    ]);
    expect(await provider().findRecords({ hostname: 'd.example.com' })).toEqual([
      { id: '4', type: '', hostname: 'd.example.com', content: '', comment: '', createdAt: new Date(madeAt) },
    ]);
  });

  it('that was made otherwise is removed again, and its own failure is reported', async () => {
    cloudflare.zoneName = 'other.example';
    const wrong = { fault: 'domain_outside_zone' };
    const { events, provider } = recorded();
    const create = () => provider.createRecord('a.example.com', 'x.example', 'talpa a');
    await expect(create()).rejects.toMatchObject(wrong);
    expect(cloudflare.records.size).toBe(0);
    expect(events).toEqual([
      ...[
        'acquire',
        ['failed', 'create record', 'domain_outside_zone', expect.stringMatching(/^create record: /)],
      ],
      ...['acquire', ['worked', 'delete record']],
    ]);
    // Even if it cannot be removed.
    cloudflare.script = ({ method }) => (method === 'DELETE' ? refused(500, 1) : undefined);
    await expect(create()).rejects.toMatchObject(wrong);
    // One that was not made at all needs no call more.
    cloudflare.calls.length = 0;
    events.length = 0;
    cloudflare.script = () => refused(400, 1);
    await expect(create()).rejects.toMatchObject({ kind: 'refused' });
    expect([cloudflare.calls, events]).toEqual([[`POST ${zone}`], ['acquire']]);
  });

  it('gives its id when it is made, and is confirmed when it is replaced', async () => {
    const id = await provider().createRecord('a.example.com', 'x.example', 'talpa a');
    expect(cloudflare.records.get(id)).toMatchObject({ name: 'a.example.com', proxied: true });
    asked({ id, name: 'b.example.com', proxied: false });
    await expect(provider().replaceRecord(id, 'b.example.com', 'x.example', 'talpa a')).rejects.toMatchObject(
      { fault: 'record_not_proxied' },
    );
  });
});
