import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { readKeyRing } from '@talpa/service-kit/key-ring';
import { createLog } from '@talpa/service-kit/log';
import { seal } from '@talpa/service-kit/sealed-secret';
import { readSettings } from '@talpa/service-kit/settings';
import { type AuthorityFront, startAuthorityFront } from '@talpa/test-kit/authority';
import { serverCertificates } from '@talpa/test-kit/certificate';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { type Pebble, startPebble } from '@talpa/test-kit/pebble';
import { freePort } from '@talpa/test-kit/ports';
import { useStores } from '@talpa/test-kit/stores';
import { startUpdateServer } from '@talpa/test-kit/update-server';
import { until } from '@talpa/test-kit/wait';
import { axios } from 'acme-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Edge } from '../../services/edge/app.ts';
import { createFront } from '../../services/edge/certificates/front.ts';
import { claimDue } from '../../services/tunnel-provider/certificates/claim.ts';
import { startCertificates } from '../../services/tunnel-provider/certificates/start.ts';
import { settingNames } from '../../services/tunnel-provider/settings.ts';
import { findPebble } from '../../tools/pebble.ts';

const files = findPebble();
if (typeof files === 'string') console.log(`certificates are not tried: ${files}`);
const domain = 'tunnel.example.test';
const panel = 'panel.example.test';
const ring = `k1:${randomBytes(32).toString('base64url')}`;
const keys = readKeyRing(ring);

describe.skipIf(typeof files === 'string')('certificates', () => {
  const stores = useStores();
  const provider = useProvider(stores);
  const makeEdge = useEdge(provider);
  let pebble: Pebble;
  let authority: AuthorityFront;
  let httpPort = 0;
  let edge: Edge;
  const common = () => ({
    ...{ ACME_EMAIL: 'operator@example.test', ACME_DIRECTORY: authority.directory },
    ...{ CERTIFICATE_KEYS: ring, TUNNEL_DOMAIN: domain, PUBLIC_URL: `https://${panel}` },
  });
  const startEdge = (port: number) => {
    const settings = readSettings(
      [
        'ACME_EMAIL',
        'CERTIFICATE_KEYS',
        'EDGE_PANEL_URL',
        'PUBLIC_URL',
        'TUNNEL_DOMAIN',
        'TUNNEL_PUBLIC_PORT',
      ],
      { ...common(), EDGE_PANEL_URL: 'http://127.0.0.1:1', TUNNEL_PUBLIC_PORT: '443' },
    );
    const front = createFront(settings, provider.edgeSql, createLog('edge', 'fatal'));
    return makeEdge.another({ EDGE_HTTP_PORT: String(port), EDGE_HTTPS_PORT: '0' }, front);
  };
  /** The process that orders, stopped after the test. */
  const startOrdering = async (changes: Record<string, string> = {}) => {
    const { lifecycle, stop } = newProcess();
    const settings = readSettings(settingNames, {
      ...{ ...common(), ...provider.settings, TOKEN_KEYS: ring, DATABASE_URL: 'postgres://nowhere' },
      ...changes,
    });
    const parts = { sql: provider.sql, accountKeys: keys, certificateKeys: keys, spreadMs: 0 };
    const keeper = await startCertificates(settings, parts, lifecycle);
    onTestFinished(stop);
    return keeper;
  };
  beforeAll(async () => {
    if (typeof files === 'string') return;
    httpPort = await freePort();
    pebble = await startPebble(files, { httpPort });
    authority = await startAuthorityFront(pebble.directory);
    axios.defaults.httpsAgent = new Agent({ ca: pebble.ca });
    edge = await startEdge(httpPort);
  });
  afterAll(async () => {
    await edge?.stop();
    await authority?.stop();
    await pebble?.stop();
  });
  beforeEach(async () => {
    authority.fault = () => undefined;
    for (const table of ['certificates', 'acme_orders', 'acme_accounts', 'acme_challenges'])
      await provider.sql.unsafe(`delete from ${table}`);
    // As when an edge has asked for it.
    await provider.sql`insert into certificates (name) values (${panel})`;
    await pebble.nameServer('set-default-ipv4', { ip: '127.0.0.1' });
  });

  const row = async (name = panel) => {
    const [found] = await provider.sql<
      {
        chain: string | null;
        secret: Buffer | null;
        problem: string | null;
        detail: string;
        pauseMs: number;
      }[]
    >`
      select chain, secret, problem, detail,
        (extract(epoch from attempt_at - now()) * 1000)::float8 as pause_ms
      from certificates where name = ${name}`;
    return found;
  };
  const issued = (name = panel, before: string | null = null) =>
    until(`the certificate of ${name}`, async () => {
      const chain = (await row(name))?.chain;
      return chain && chain !== before && chain;
    });
  const problem = (name = panel) => until('the failure', async () => (await row(name))?.problem);
  const tryNow = (name = panel) =>
    provider.sql`update certificates set attempt_at = now() where name = ${name}`;
  /** The certificate that an edge shows for a name, by its fingerprint. */
  const shown = (host: string, port = edge.visitors.httpsPort ?? 0) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', servername: host, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
        socket.destroy();
      });
      socket.on('error', reject);
    });
  const newName = async (suffix: string) => {
    const name = `t-${randomBytes(4).toString('hex')}`;
    const { body } = await provider.send('POST', '/client/v4/accounts/account1/cfd_tunnel', {
      ...{ name, config_src: 'cloudflare' },
    });
    const content = `${(body.result as { id: string }).id}.cfargotunnel.com`;
    const record = { type: 'CNAME', name: `${name}.${suffix}`, content, proxied: true, ttl: 1 };
    await provider.send('POST', '/client/v4/zones/zone1/dns_records', record);
    return record.name;
  };
  const newSubdomain = () => newName(domain);

  it('are stored encrypted, and every edge serves the same', async () => {
    await startOrdering();
    const chain = await issued();
    const stored = await row();
    expect(stored?.secret?.toString('latin1')).not.toContain('PRIVATE KEY');
    expect(chain).not.toContain('PRIVATE KEY');
    const other = await startEdge(await freePort());
    onTestFinished(() => other.stop());
    expect(await shown(panel, other.visitors.httpsPort)).toBe(await shown(panel));
    await expect(provider.edgeSql`select secret from tunnel_provider.acme_accounts`).rejects.toThrow(
      /permission/,
    );
    await expect(provider.edgeSql`update tunnel_provider.certificates set chain = ''`).rejects.toThrow(
      /permission/,
    );
    await expect(
      provider.edgeSql`insert into tunnel_provider.certificates (name) values ('a')`,
    ).rejects.toThrow(/permission/);
  });

  it('are ordered once although two processes order', async () => {
    await Promise.all([startOrdering(), startOrdering()]);
    const host = await newSubdomain();
    await Promise.all(Array.from({ length: 5 }, () => shown(host)));
    await issued();
    const orders = await provider.sql`select name from acme_orders order by name`;
    expect(orders.map(({ name }) => name)).toEqual([panel, host]);
  });

  it('are ordered by another process when the one that began was killed', async () => {
    // What a killed process leaves behind: a claim that nobody renews.
    expect(await claimDue(provider.sql, { panel, wildcard: null }, 40)).toMatchObject({ name: panel });
    const keeper = await startOrdering();
    await provider.sql`update certificates set claimed_until = now() + interval '1 second'`;
    await until('the claim to be taken over', async () => {
      keeper?.hint();
      return (await row())?.chain;
    });
  });

  it('are renewed when it is time, and served without a restart', async () => {
    await startOrdering();
    const first = await issued();
    const before = await shown(panel);
    const { pauseMs = 0 } = (await row()) ?? {};
    // A third of ninety days is left then.
    expect(pauseMs / 86_400_000).toBeGreaterThan(55);
    expect(pauseMs / 86_400_000).toBeLessThan(60.1);
    await tryNow();
    await issued(panel, first);
    await until('the edge to show it', async () => (await shown(panel)) !== before);
  });

  it('are renewed when the authority says so', async () => {
    const keeper = await startOrdering();
    const first = await issued();
    await until('the first look', async () => {
      keeper?.hint();
      const [asked] =
        await provider.sql`select 1 from certificates where window_at > now() + interval '1 minute'`;
      return asked;
    });
    await pebble.setRenewal(first, {
      start: new Date(Date.now() - 7_200_000),
      end: new Date(Date.now() - 3_600_000),
    });
    await provider.sql`update certificates set window_at = now()`;
    keeper?.hint();
    await issued(panel, first);
  });

  it('that have expired before the start are served until the renewal, which comes at once', async () => {
    const { cert, key } = serverCertificates.expired;
    const { secret, keyId } = seal(keys, panel, Buffer.from(key));
    await provider.sql`
      update certificates set chain = ${cert}, secret = ${secret}, key_id = ${keyId}, not_before = '2020-01-01',
        not_after = '2021-01-01', attempt_at = '2020-09-01' where name = ${panel}`;
    const before = await until('the old one', () => shown(panel));
    await startOrdering();
    await issued(panel, cert);
    await until('the new one', async () => (await shown(panel)) !== before);
  });

  it('that cannot be renewed go on being served, and each failure has its reason', async () => {
    await startOrdering();
    const first = await issued();
    const before = await shown(panel);
    const fails = async (expected: string) => {
      await provider.sql`delete from acme_orders`;
      await provider.sql`update certificates set problem = null, attempt_at = now()`;
      expect(await problem()).toBe(expected);
      expect((await row())?.chain).toBe(first);
      expect(await shown(panel)).toBe(before);
    };
    await pebble.goDown();
    await fails('authority_unreachable');
    await pebble.comeBack();
    // It has forgotten our account: that is registered again.
    await fails('account_refused');
    await tryNow();
    const second = await issued(panel, first);
    expect(second).not.toBe(first);
  });

  it.each([
    [
      'name_not_resolving',
      async () => {
        onTestFinished(() => pebble.nameServer('clear-servfail', { host: panel }));
        await pebble.nameServer('set-servfail', { host: panel });
      },
    ],
    ['port_closed', () => pebble.nameServer('set-default-ipv4', { ip: '127.0.0.9' })],
    [
      'wrong_server',
      async () => {
        const other = createServer((_request, response) => response.end('somebody else'));
        await new Promise<void>((done) => other.listen(httpPort, '127.0.0.8', done));
        onTestFinished(() => void other.close());
        await pebble.nameServer('set-default-ipv4', { ip: '127.0.0.8' });
      },
    ],
    [
      'rate_limited',
      async () => {
        const body = { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many certificates' };
        authority.fault = (path) =>
          path.includes('order-plz') ? { status: 429, headers: { 'retry-after': '7200' }, body } : undefined;
      },
    ],
    [
      'clock_wrong',
      async () => {
        const date = new Date(Date.now() + 3_600_000).toUTCString();
        authority.fault = (path) =>
          path.includes('order-plz')
            ? { status: 400, headers: { date }, body: { type: 'a:malformed' } }
            : undefined;
      },
    ],
    [
      'authority_failed',
      async () => {
        authority.fault = (path) => (path.includes('order-plz') ? { status: 503 } : undefined);
      },
    ],
  ])('that are refused say why: %s', async (expected, prepare) => {
    await prepare();
    await startOrdering();
    expect([await problem(), (await row())?.detail]).toEqual([expected, expect.any(String)]);
    const { pauseMs = 0 } = (await row()) ?? {};
    // The authority's own time where it names one, a minute for a first failure else.
    expect(Math.round(pauseMs / 60_000)).toBe(expected === 'rate_limited' ? 120 : 1);
    await expect(shown(panel)).rejects.toThrow();
  });

  it('stay within the weekly limit, which the panel’s own does not count for', async () => {
    await startOrdering({ ACME_WEEKLY_LIMIT: '1' });
    const first = await newSubdomain();
    await shown(first);
    const second = await newSubdomain();
    await expect(shown(second)).rejects.toThrow();
    expect(await problem(second)).toBe('weekly_limit');
    await issued();
  });

  it('for all subdomains come from one order where a name server takes updates, and a wrong key is named', async () => {
    const secret = randomBytes(32);
    const name = `*.${domain}`;
    const server = await startUpdateServer(domain, { name: 'talpa-key', secret }, (kind, host, value) =>
      pebble.nameServer(kind === 'add' ? 'set-txt' : 'clear-txt', { host: `${host}.`, value }),
    );
    onTestFinished(server.stop);
    const urlOf = (key: Buffer) =>
      `dns://talpa-key:${encodeURIComponent(key.toString('base64'))}@127.0.0.1:${server.port}`;
    const wrong = await startOrdering({ ACME_RFC2136_URL: urlOf(randomBytes(32)) });
    expect(await problem(name)).toBe('dns_access_refused');
    await wrong?.stop();
    await startOrdering({ ACME_RFC2136_URL: urlOf(secret) });
    await tryNow(name);
    await issued(name);
    // An edge that looked a moment ago looks again.
    const [first, second] = [await newSubdomain(), await newSubdomain()];
    expect(await shown(first)).toBe(await shown(second));
    // The wildcard does not cover a custom domain, which gets one of its own; no other name does.
    const custom = await newName('kunde.example.test');
    expect(await shown(custom)).not.toBe(await shown(first));
    await expect(shown('nobody.kunde.example.test')).rejects.toThrow();
    const rows = await provider.sql<{ name: string }[]>`select name from certificates`;
    expect(new Set(rows.map((one) => one.name))).toEqual(new Set([name, panel, custom]));
  });

  it('for all subdomains come from one order with a token of Cloudflare, and a wrong token is named', async () => {
    const records = new Map<string, string>();
    const api = createServer(async (request, response) => {
      const isAllowed = request.headers.authorization === 'Bearer right-token';
      const path = request.url ?? '';
      let result: unknown = null;
      if (path.startsWith('/zones?')) result = path.includes(`name=${domain}`) ? [{ id: 'zone1' }] : [];
      else if (request.method === 'POST') {
        const record = (await json(request)) as { name: string; content: string };
        const [host, value] = [`${record.name}.`, record.content.replaceAll('"', '')];
        await pebble.nameServer('set-txt', { host, value });
        records.set('record1', host);
        result = { id: 'record1', ...record };
      } else if (request.method === 'DELETE') records.delete(path.split('/').at(-1) ?? '');
      response.writeHead(isAllowed ? 200 : 403, { 'content-type': 'application/json' });
      const errors = isAllowed ? [] : [{ code: 9109, message: 'Unauthorized to access requested resource' }];
      response.end(JSON.stringify({ success: isAllowed, errors, messages: [], result }));
    }).listen(0, '127.0.0.1');
    await once(api, 'listening');
    onTestFinished(() => void api.close());
    const base = { CLOUDFLARE_BASE_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}` };
    const wrong = await startOrdering({ ...base, ACME_CLOUDFLARE_TOKEN: 'wrong-token' });
    expect(await problem(`*.${domain}`)).toBe('dns_access_refused');
    await wrong?.stop();
    await startOrdering({ ...base, ACME_CLOUDFLARE_TOKEN: 'right-token' });
    await tryNow(`*.${domain}`);
    await issued(`*.${domain}`);
    expect(records.size).toBe(0);
  });

  it('are ordered with one account, registered once though several orders begin together', async () => {
    if (typeof files === 'string') return;
    const own = await startPebble(files, { httpPort, env: { PEBBLE_WFE_NONCEREJECT: '0' } });
    onTestFinished(() => own.stop());
    axios.defaults.httpsAgent = new Agent({ ca: own.ca });
    const front = await startAuthorityFront(own.directory);
    onTestFinished(() => front.stop());
    let registrations = 0;
    front.fault = (path) => {
      registrations += path.includes('sign-me-up') ? 1 : 0;
      return undefined;
    };
    await own.nameServer('set-default-ipv4', { ip: '127.0.0.1' });
    const names = [await newSubdomain(), await newSubdomain()];
    await provider.sql`insert into certificates ${provider.sql(names.map((name) => ({ name })))}`;
    await startOrdering({ ACME_DIRECTORY: front.directory });
    for (const name of [panel, ...names]) await issued(name);
    expect(registrations).toBe(1);
  });

  it('of an authority with external accounts are ordered with the right key alone', async () => {
    if (typeof files === 'string') return;
    const key = randomBytes(32).toString('base64url');
    const own = await startPebble(files, { httpPort, externalAccounts: { kid1: key } });
    onTestFinished(() => own.stop());
    axios.defaults.httpsAgent = new Agent({ ca: own.ca });
    const account = { ACME_DIRECTORY: own.directory, ACME_EAB_KEY_ID: 'kid1' };
    const wrong = await startOrdering({ ...account, ACME_EAB_KEY: randomBytes(32).toString('base64url') });
    expect(await problem()).toBe('account_refused');
    await wrong?.stop();
    await startOrdering({ ...account, ACME_EAB_KEY: key });
    await tryNow();
    await issued();
  });
});
