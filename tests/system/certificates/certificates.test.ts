import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createLog } from '@talpa/service-kit/log';
import { seal } from '@talpa/service-kit/sealed-secret';
import { startAuthorityFront } from '@talpa/test-kit/authority';
import { certificateFiles, serverCertificates, testCertificate } from '@talpa/test-kit/certificate';
import { findPebble } from '@talpa/test-kit/find-pebble';
import { startPebble } from '@talpa/test-kit/pebble';
import { freePort } from '@talpa/test-kit/ports';
import { ask } from '@talpa/test-kit/raw-http';
import { until } from '@talpa/test-kit/wait';
import { axios } from 'acme-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { claimDue } from '../../../services/tunnel-provider/certificates/claim.ts';
import { useCertificates } from './certificates.ts';
import { startUpdateServer } from './update-server.ts';

const files = findPebble();
if (typeof files === 'string') console.log(`certificates are not tried: ${files}`);

describe.skipIf(typeof files === 'string')('certificates', () => {
  const given = useCertificates(files);
  const { domain, panel, keys, provider, startEdge, startOrdering, row, issued, failure, problem } = given;
  const { tryNow, shown, shownBy, newName, newSubdomain, pebble, authority, ports } = given;

  it('are stored encrypted, and every edge serves the same', async () => {
    await startOrdering();
    const chain = await issued();
    const stored = await row();
    expect(stored?.secret?.toString('latin1')).not.toContain('PRIVATE KEY');
    expect(chain).not.toContain('PRIVATE KEY');
    const other = await startEdge(await freePort());
    onTestFinished(() => other.stop());
    expect(await shown(panel, other.visitors.httpsPort)).toBe(await shown(panel));
    const { edgeSql: sql } = provider;
    await expect(sql`select secret from tunnel_provider.acme_accounts`).rejects.toThrow(/permission/);
    await expect(sql`update tunnel_provider.certificates set chain = ''`).rejects.toThrow(/permission/);
    await expect(
      provider.edgeSql`insert into tunnel_provider.certificates (name) values ('a')`,
    ).rejects.toThrow(/permission/);
  });

  it('of a custom domain are served by every edge until the domain is gone, which all of them then say', async () => {
    await startOrdering();
    const other = await startEdge(await freePort());
    onTestFinished(() => other.stop());
    const host = await newName('kunde.example.test');
    expect(await shown(host, other.visitors.httpsPort)).toBe(await shown(host));
    const answers = () =>
      Promise.all([ports().httpPort, other.visitors.httpPort].map((port) => ask({ port, host, path: '/' })));
    expect((await answers()).map(({ headers }) => headers.location)).toEqual(
      Array(2).fill(`https://${host}/`),
    );
    const [record] = await provider.sql<{ id: string }[]>`select id from dns_records where name = ${host}`;
    await provider.send('DELETE', `/client/v4/zones/zone1/dns_records/${record?.id}`);
    await until('both edges to know', async () =>
      (await answers()).every(({ headers }) => headers['x-edge-error'] === 'unknown_host'),
    );
  });

  it('are ordered once although two processes order', async () => {
    await Promise.all([startOrdering(), startOrdering()]);
    const host = await newSubdomain();
    await Promise.all(Array.from({ length: 5 }, () => shown(host)));
    await issued();
    const orders = await provider.sql`select name from acme_orders order by name`;
    expect(orders.map(({ name }) => name)).toEqual([panel, host]);
  });

  it('are ordered once by a process that stood still for longer than its claim lasts', async () => {
    pebble().hang();
    onTestFinished(() => pebble().goOn());
    const keeper = await startOrdering();
    await until('the order to begin', async () => (await provider.sql`select 1 from acme_orders`).length);
    await provider.sql`update certificates set claimed_until = now() - interval '1 second'`;
    await keeper?.look();
    pebble().goOn();
    await issued();
    expect(await provider.sql`select 1 from acme_orders`).toHaveLength(1);
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

  it.each([
    [400, 'malformed'],
    [409, 'alreadyReplaced'],
    [500, 'serverInternal'],
  ])('are renewed where the authority cannot find what they replace: %i %s', async (status, type) => {
    await startOrdering();
    const first = await issued();
    let isRefused = false;
    // By what is asked for, not by its number: the authority refuses one nonce in twenty, and such a call comes twice.
    authority().fault = (_path, { replaces }) => {
      if (!replaces) return undefined;
      isRefused = true;
      return { status, body: { type: `urn:ietf:params:acme:error:${type}` } };
    };
    await tryNow();
    await issued(panel, first);
    expect(isRefused).toBe(true);
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
    await pebble().setRenewal(first, {
      start: new Date(Date.now() - 7_200_000),
      end: new Date(Date.now() - 3_600_000),
    });
    await provider.sql`update certificates set window_at = now()`;
    keeper?.hint();
    await issued(panel, first);
  });

  it('of an order that was given back are the next process’s alone', async () => {
    const held = Promise.withResolvers<void>();
    const seen: string[] = [];
    const count = (part: string) => seen.filter((path) => path.includes(part)).length;
    authority().fault = (path) => {
      seen.push(path);
      return path.includes('finalize') && count('finalize') === 1 ? { after: held.promise } : undefined;
    };
    const first = await startOrdering();
    await until('the end of its order', () => count('finalize') === 1);
    await first?.stop();
    await startOrdering();
    const [chain, downloads] = [await issued(), count('/certZ/')];
    held.resolve();
    await until('the other certificate', () => count('/certZ/') > downloads);
    await first?.stop();
    expect((await row())?.chain).toBe(chain);
  });

  it('that have expired before the start are served until the renewal, which comes at once', async () => {
    const { cert, key } = serverCertificates.expired;
    const { secret, keyId } = seal(keys, panel, Buffer.from(key));
    await provider.sql`
      update certificates set chain = ${cert}, secret = ${secret}, key_id = ${keyId}, not_before = '2020-01-01',
        not_after = '2021-01-01', attempt_at = '2020-09-01' where name = ${panel}`;
    const before = await until('the old one', () => shown(panel));
    const log = createLog('test', 'silent');
    const warn = vi.spyOn(log, 'warn');
    await startOrdering({}, log);
    await issued(panel, cert);
    await until('the new one', async () => (await shown(panel)) !== before);
    expect(warn.mock.calls.map(([about]) => about)).toMatchObject([{ name: panel }]);
    expect(warn.mock.lastCall?.[1]).toMatch(/^certificate has expired/);
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
    await pebble().goDown();
    await fails('authority_unreachable');
    await pebble().comeBack();
    // It has forgotten our account: that is registered again.
    await fails('account_refused');
    await tryNow();
    const second = await issued(panel, first);
    expect(second).not.toBe(first);
  });

  it('come by port 443 where port 80 is closed, and the next order begins there', async () => {
    const other = await startEdge(await freePort(), {
      EDGE_HOST: '127.0.0.8',
      EDGE_HTTPS_PORT: String(ports().tlsPort),
    });
    onTestFinished(() => other.stop());
    await pebble().nameServer('set-default-ipv4', { ip: '127.0.0.8' });
    await startOrdering();
    await issued();
    const host = await newSubdomain();
    await shown(host);
    const orders = await provider.sql`select name, succeeded from acme_orders order by ordered_at`;
    expect(orders).toEqual([
      { name: panel, succeeded: false },
      { name: panel, succeeded: true },
      { name: host, succeeded: true },
    ]);
  });

  it('that cover a name together: the one that lasts longer is served, its own or the wildcard', async () => {
    const store = (name: string, { cert, key }: { readonly cert: string; readonly key: string }) => {
      const { secret, keyId } = seal(keys, name, Buffer.from(key));
      const { validFrom, validTo } = new X509Certificate(cert);
      return provider.sql`
        insert into certificates (name, chain, secret, key_id, not_before, not_after)
        values (${name}, ${cert}, ${secret}, ${keyId}, ${new Date(validFrom)}, ${new Date(validTo)})`;
    };
    const { expired, valid } = serverCertificates;
    for (const [host, own, wildcard] of [
      ['a.own.example.test', valid, expired],
      ['a.all.example.test', expired, valid],
    ] as const) {
      await store(host, own);
      await store(host.replace('a', '*'), wildcard);
      expect(await shown(host), host).toBe(new X509Certificate(valid.cert).fingerprint256);
    }
  });

  it('are shown for the names that the operator’s own files do not cover', async () => {
    await startOrdering();
    await issued();
    const own = certificateFiles();
    onTestFinished(() => rmSync(own.folder, { recursive: true }));
    const changes = { EDGE_TLS_CERT: own.certFile, EDGE_TLS_KEY: own.keyFile };
    const other = await startEdge(await freePort(), changes);
    onTestFinished(() => other.stop());
    const { fingerprint256 } = new X509Certificate(testCertificate.cert);
    expect(await shown('web.tunnel.localhost', other.visitors.httpsPort)).toBe(fingerprint256);
    expect(await shown(panel, other.visitors.httpsPort)).toBe(await shown(panel));
  });

  it('are not replaced for visitors while port 443 answers the authority', async () => {
    await startOrdering();
    await issued();
    const acme = { ALPNProtocols: ['acme-tls/1'] };
    await expect(shownBy(panel, acme)).rejects.toThrow();
    await provider.sql`
      insert into acme_challenges (token, host, type, key_authorization)
      values ('token1', ${panel}, 'tls-alpn-01', 'token1.thumb')`;
    const answer = await shownBy(panel, acme);
    const digest = createHash('sha256').update('token1.thumb').digest('hex');
    expect(answer.raw.toString('hex')).toContain(`0420${digest}`);
    for (const ALPNProtocols of [[], ['h2'], ['h2', 'acme-tls/1']]) {
      const certificate = await shownBy(panel, { ALPNProtocols });
      expect(certificate.issuer).toMatch(/Pebble/);
    }
  });

  it.each([
    [
      'name_not_resolving',
      async () => {
        onTestFinished(() => pebble().nameServer('clear-servfail', { host: panel }));
        await pebble().nameServer('set-servfail', { host: panel });
      },
    ],
    ['port_closed', () => pebble().nameServer('set-default-ipv4', { ip: '127.0.0.9' })],
    [
      'wrong_server',
      async () => {
        const other = createServer((_request, response) => response.end('somebody else'));
        await new Promise<void>((done) => other.listen(ports().httpPort, '127.0.0.8', done));
        onTestFinished(() => void other.close());
        await pebble().nameServer('set-default-ipv4', { ip: '127.0.0.8' });
      },
    ],
    [
      'rate_limited',
      async () => {
        const body = { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many certificates' };
        authority().fault = (path) =>
          path.includes('order-plz') ? { status: 429, headers: { 'retry-after': '7200' }, body } : undefined;
      },
    ],
    [
      'clock_wrong',
      async () => {
        const date = new Date(Date.now() + 3_600_000).toUTCString();
        authority().fault = (path) =>
          path.includes('order-plz')
            ? { status: 400, headers: { date }, body: { type: 'a:malformed' } }
            : undefined;
      },
    ],
    [
      'authority_failed',
      async () => {
        authority().fault = (path) => (path.includes('order-plz') ? { status: 503 } : undefined);
      },
    ],
  ])('that are refused say why, and the one before is still served: %s', async (expected, prepare) => {
    await startOrdering();
    const chain = await issued();
    const before = await shown(panel);
    await prepare();
    await tryNow();
    expect([await failure(), (await row())?.detail]).toEqual([expected, expect.any(String)]);
    const { pauseMs = 0 } = (await row()) ?? {};
    // The authority's own time where it names one, a minute for a first failure else; of the two that ask another
    // port at once the second counts.
    const minutes: Record<string, number> = { rate_limited: 120, port_closed: 5, wrong_server: 5 };
    expect(Math.round(pauseMs / 60_000)).toBe(minutes[expected] ?? 1);
    expect([(await row())?.chain, await shown(panel)]).toEqual([chain, before]);
  });

  it('that failed are ordered again at once by who starts anew, but not against the authority’s limit', async () => {
    const refuse = (status: number) => {
      authority().fault = (path) => (path.includes('order-plz') ? { status } : undefined);
    };
    for (const [status, problem] of [
      [503, 'authority_failed'],
      [429, 'rate_limited'],
    ] as const) {
      await provider.sql`delete from acme_orders`;
      refuse(status);
      const keeper = await startOrdering();
      await tryNow();
      expect(await failure()).toBe(problem);
      await keeper?.stop();
    }
    const { pauseMs = 0 } = (await row()) ?? {};
    authority().fault = () => undefined;
    const limited = await startOrdering();
    await limited?.look();
    expect((await row())?.pauseMs).toBeGreaterThan(pauseMs - 60_000);
    await limited?.stop();
    await provider.sql`update certificates set problem = 'authority_failed'`;
    await startOrdering();
    await issued();
  });

  it('are not ordered where the clock does not fit the authority’s own certificate, which is said', async () => {
    const { cert, key } = serverCertificates.expired;
    const server = https.createServer({ cert, key }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const before = axios.defaults.httpsAgent;
    axios.defaults.httpsAgent = new https.Agent({ ca: cert });
    onTestFinished(() => {
      axios.defaults.httpsAgent = before;
      server.close();
    });
    await startOrdering({
      ACME_DIRECTORY: `https://localhost:${(server.address() as AddressInfo).port}/dir`,
    });
    expect(await failure()).toBe('clock_wrong');
  });

  it('stay within the weekly limit, which never keeps the panel waiting', async () => {
    await provider.sql`update certificates set attempt_at = 'infinity' where name = ${panel}`;
    await startOrdering({ ACME_WEEKLY_LIMIT: '1' });
    await shown(await newSubdomain());
    const second = await newSubdomain();
    await expect(shown(second)).rejects.toThrow();
    expect(await problem(second)).toBe('weekly_limit');
    await tryNow();
    await issued();
  });

  it('for all subdomains come from one order where a name server takes updates, and a wrong key is named', async () => {
    const secret = randomBytes(32);
    const name = `*.${domain}`;
    const server = await startUpdateServer(domain, { name: 'talpa-key', secret }, (kind, host, value) =>
      pebble().nameServer(kind === 'add' ? 'set-txt' : 'clear-txt', { host: `${host}.`, value }),
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
        await pebble().nameServer('set-txt', { host, value });
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
    const own = await startPebble(files, {
      httpPort: ports().httpPort,
      env: { PEBBLE_WFE_NONCEREJECT: '0' },
    });
    onTestFinished(() => own.stop());
    axios.defaults.httpsAgent = new https.Agent({ ca: own.ca });
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
    const own = await startPebble(files, { httpPort: ports().httpPort, externalAccounts: { kid1: key } });
    onTestFinished(() => own.stop());
    axios.defaults.httpsAgent = new https.Agent({ ca: own.ca });
    const account = { ACME_DIRECTORY: own.directory, ACME_EAB_KEY_ID: 'kid1' };
    const wrong = await startOrdering({ ...account, ACME_EAB_KEY: randomBytes(32).toString('base64url') });
    expect(await problem()).toBe('account_refused');
    await wrong?.stop();
    await startOrdering({ ...account, ACME_EAB_KEY: key });
    await tryNow();
    await issued();
  });
});
