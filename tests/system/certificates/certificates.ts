import { randomBytes, randomUUID, type X509Certificate } from 'node:crypto';
import { Agent } from 'node:https';
import { type ConnectionOptions, connect } from 'node:tls';
import { readKeyRing } from '@talpa/service-kit/key-ring';
import { createLog, type Log } from '@talpa/service-kit/log';
import { readSettings } from '@talpa/service-kit/settings';
import { type AuthorityFront, startAuthorityFront } from '@talpa/test-kit/authority';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import type { PebbleFiles } from '@talpa/test-kit/find-pebble';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { type Pebble, startPebble } from '@talpa/test-kit/pebble';
import { freePorts } from '@talpa/test-kit/ports';
import { useStores } from '@talpa/test-kit/stores';
import { holdJobs, until } from '@talpa/test-kit/wait';
import { axios } from 'acme-client';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import type { Edge } from '../../../services/edge/app.ts';
import { createFront } from '../../../services/edge/visitors/front.ts';
import { startCertificates } from '../../../services/tunnel-provider/certificates/start.ts';
import { settingNames } from '../../../services/tunnel-provider/settings.ts';

const domain = 'tunnel.example.test';
const panel = 'panel.example.test';

/** An edge with certificates, and an authority that issues them; before each test nothing has been ordered. */
export function useCertificates(files: PebbleFiles | string) {
  const ring = `k1:${randomBytes(32).toString('base64url')}`;
  const keys = readKeyRing(ring);
  const provider = useProvider(useStores());
  const makeEdge = useEdge(provider);
  let pebble: Pebble;
  let authority: AuthorityFront;
  let [httpPort, tlsPort] = [0, 0];
  let edge: Edge;
  const common = () => ({
    ...{ ACME_EMAIL: 'operator@example.test', ACME_DIRECTORY: authority.directory },
    ...{ CERTIFICATE_KEYS: ring, TUNNEL_DOMAIN: domain, PUBLIC_URL: `https://${panel}` },
  });
  const startEdge = (port: number, changes: Record<string, string> = {}) => {
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
    return makeEdge.another({ EDGE_HTTP_PORT: String(port), EDGE_HTTPS_PORT: '0', ...changes }, front);
  };
  /** The process that orders, stopped after the test. */
  const startOrdering = async (changes: Record<string, string> = {}, log?: Log) => {
    const { lifecycle, stop } = newProcess(log);
    const settings = readSettings(settingNames, {
      ...{ ...common(), ...provider.settings, TOKEN_KEYS: ring, DATABASE_URL: 'postgres://nowhere' },
      ...changes,
    });
    const parts = { sql: provider.sql, accountKeys: keys, certificateKeys: keys, spreadMs: 0 };
    // What has changed is ordered when Postgres says so, not at the next look.
    onTestFinished(holdJobs(5_000));
    const keeper = await startCertificates(settings, parts, lifecycle);
    onTestFinished(stop);
    return keeper;
  };
  beforeAll(async () => {
    if (typeof files === 'string') return;
    httpPort = await freePorts(2);
    tlsPort = httpPort + 1;
    pebble = await startPebble(files, { httpPort, tlsPort });
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
  /** The failure after which it pauses. */
  const failure = (name = panel) =>
    until('the failure', async () => {
      const { pauseMs = 0, problem } = (await row(name)) ?? {};
      return pauseMs > 0 && (problem ?? false);
    });
  const problem = (name = panel) => until('the failure', async () => (await row(name))?.problem);
  const tryNow = (name = panel) =>
    provider.sql`update certificates set attempt_at = now() where name = ${name}`;
  /** The certificate that an edge shows for a name. */
  const shownBy = (host: string, options: ConnectionOptions = {}) =>
    new Promise<X509Certificate>((resolve, reject) => {
      const at = { port: edge.visitors.httpsPort ?? 0, host: '127.0.0.1' };
      const socket = connect({ ...at, servername: host, rejectUnauthorized: false, ...options }, () => {
        const certificate = socket.getPeerX509Certificate();
        if (certificate) resolve(certificate);
        socket.destroy();
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('no certificate')));
    });
  const shown = async (host: string, port = edge.visitors.httpsPort ?? 0) =>
    (await shownBy(host, { port })).fingerprint256;
  const newName = async (suffix: string) => {
    const name = `t-${randomBytes(4).toString('hex')}`;
    const { body } = await provider.send('POST', '/client/v4/accounts/account1/cfd_tunnel', {
      ...{ name, config_src: 'cloudflare' },
    });
    const content = `${(body.result as { id: string }).id}.cfargotunnel.com`;
    const comment = `talpa x ${randomUUID()}`;
    const record = { type: 'CNAME', name: `${name}.${suffix}`, content, proxied: true, ttl: 1, comment };
    await provider.send('POST', '/client/v4/zones/zone1/dns_records', record);
    return record.name;
  };
  const newSubdomain = () => newName(domain);
  return {
    ...{ domain, panel, keys, provider, startEdge, startOrdering, row, issued, failure, problem, tryNow },
    ...{ shown, shownBy, newName, newSubdomain },
    pebble: () => pebble,
    authority: () => authority,
    /** Where the authority looks on an address: for HTTP-01, and for TLS-ALPN-01. */
    ports: () => ({ httpPort, tlsPort }),
  };
}
