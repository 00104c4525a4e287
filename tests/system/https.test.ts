import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { launchBrowser } from '@talpa/test-kit/browser';
import { Client, proxyInput, testPassword } from '@talpa/test-kit/client';
import { startOurs } from '@talpa/test-kit/connector/connectors';
import { findPebble } from '@talpa/test-kit/find-pebble';
import { temporaryHome } from '@talpa/test-kit/home';
import { heading } from '@talpa/test-kit/panel/heading';
import { type Pebble, startPebble } from '@talpa/test-kit/pebble';
import { freePorts } from '@talpa/test-kit/ports';
import { ask } from '@talpa/test-kit/raw-http';
import { adminPassword, apart, startTestTalpa } from '@talpa/test-kit/system';
import { reportAfterFailure } from '@talpa/test-kit/system-report';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Talpa } from '../../launcher/system.ts';

const files = findPebble();
if (typeof files === 'string') console.log(`certificates are not tried: ${files}`);
const panelHost = 'panel.example.test';

/** The panel by its local port, as the browser that knows it by its public address alone. */
class PublicClient extends Client {
  readonly origin: string;

  constructor(base: string, origin: string) {
    super(base);
    this.origin = origin;
  }

  override send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return super.send(method, path, body, { origin: this.origin, ...headers });
  }
}

describe.skipIf(typeof files === 'string')('an installation with certificates of its own', () => {
  const home = temporaryHome();
  reportAfterFailure(home, []);
  let pebble: Pebble;
  let talpa: Talpa;
  let [panelPort, httpPort, httpsPort] = [0, 0, 0];
  const panelUrl = () => `https://${panelHost}:${httpsPort}`;
  beforeAll(async () => {
    if (typeof files === 'string') return;
    panelPort = await freePorts(3);
    [httpPort, httpsPort] = [panelPort + 1, panelPort + 2];
    pebble = await startPebble(files, { httpPort });
    const settings = {
      ...{ ACME_EMAIL: 'operator@example.test', ACME_DIRECTORY: pebble.directory, PUBLIC_URL: panelUrl() },
      ...{ EDGE_HTTP_PORT: String(httpPort), EDGE_HTTPS_PORT: String(httpsPort) },
      ...{ TUNNEL_PUBLIC_PORT: String(httpsPort), NODE_EXTRA_CA_CERTS: pebble.caFile },
    };
    talpa = await startTestTalpa(home, { ...settings, ...apart }, { port: panelPort });
  });
  afterAll(async () => {
    await talpa?.stop();
    await pebble?.stop();
  });
  const secure = async (host: string, path = '/') =>
    ask({ port: httpsPort, host, path, ca: await pebble.root() });
  const plain = (host: string, path = '/') => ask({ port: httpPort, host, path });

  /** A proxy with a connector, and what responds behind it. */
  async function newTunnel() {
    const client = new PublicClient(talpa.url, panelUrl());
    const username = `u${randomUUID().slice(0, 12)}`;
    await client.call('POST /api/register', { username, password: testPassword });
    await client.call('POST /api/user/subscription', { planId: 'free' });
    const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
    const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
    const origin = createServer((request, response) =>
      response.end(`origin of ${request.headers.host} by ${request.headers['x-forwarded-proto']}`),
    ).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    const { connectorPort: port, authorityFile } = talpa.edge ?? { connectorPort: 0, authorityFile: '' };
    const { port: originPort } = origin.address() as AddressInfo;
    const connector = await startOurs({ port, ca: readFileSync(authorityFile, 'utf8'), token, originPort });
    onTestFinished(async () => {
      await connector.kill();
      origin.closeAllConnections();
      origin.close();
    });
    return proxy.cfDomain;
  }

  it('serves the panel by https with a certificate that it ordered itself, and sends http there', async () => {
    const { status, headers, body } = await secure(panelHost);
    expect([status, headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
    expect(body).toContain('<div id="root"');
    const redirected = await plain(panelHost, '/tunnel?a=b');
    expect([redirected.status, redirected.headers.location]).toEqual([308, `${panelUrl()}/tunnel?a=b`]);
  });

  it('orders a subdomain’s certificate when it is first visited, and none for a name that leads nowhere', async () => {
    const host = await newTunnel();
    const first = await plain(host);
    expect([first.status, first.headers['x-edge-error'], first.headers.refresh]).toEqual([
      ...[503, 'certificate_pending', '5'],
    ]);
    // The handshake waits for it.
    expect((await secure(host)).body).toBe(`origin of ${host} by https`);
    expect((await plain(host)).headers.location).toBe(`https://${host}:${httpsPort}/`);
    const nobody = `nobody.${host.slice(host.indexOf('.') + 1)}`;
    expect((await plain(nobody)).headers['x-edge-error']).toBe('unknown_host');
    await expect(secure(nobody)).rejects.toThrow();
  });

  it('lists its certificates for administrators, who can have one ordered now', async () => {
    const admin = new PublicClient(talpa.url, panelUrl());
    await admin.call('POST /api/login', { username: 'admin', password: adminPassword });
    const find = async () =>
      (await admin.call('GET /api/admin/certificates', {}))?.find(({ name }) => name === panelHost);
    const before = await find();
    expect(before).toMatchObject({ state: 'valid', problem: null });
    await admin.call('POST /api/admin/certificates/order', { name: panelHost });
    await until('a new certificate', async () => {
      const after = await find();
      return after?.state === 'valid' && after.notAfter !== before?.notAfter;
    });
    const unknown = { name: 'nobody.example.test' };
    expect(await admin.call('POST /api/admin/certificates/order', unknown)).toEqual({ ordered: false });
  });

  it('goes on ordering where the process that ordered was killed in the middle', async () => {
    const host = await newTunnel();
    pebble.hang();
    onTestFinished(() => pebble.goOn());
    expect((await plain(host)).headers['x-edge-error']).toBe('certificate_pending');
    const sql = openDatabase(talpa.stores.adminUrl, 1);
    onTestFinished(() => sql.end());
    await until('the order', async () => {
      const [claimed] = await sql`
        select 1 from tunnel_provider.certificates where name = ${host} and claimed_until > now()`;
      return claimed;
    });
    process.kill(talpa.parts.get('tunnel-provider')?.pid() ?? 0, 'SIGKILL');
    pebble.goOn();
    await until('the certificate', async () => (await secure(host)).status === 200);
  });

  it('opens panel and tunnel in a browser', async () => {
    const host = await newTunnel();
    const { publicKey } = new X509Certificate(await pebble.intermediate());
    const key = publicKey.export({ type: 'spki', format: 'der' });
    const browser = await launchBrowser([
      '--host-resolver-rules=MAP * 127.0.0.1',
      `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`,
    ]);
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ locale: 'de-DE' });
    await page.goto(panelUrl());
    await page.getByLabel('Benutzername').fill('admin');
    await page.getByLabel('Passwort', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await heading(page, 'Willkommen, admin').waitFor();
    expect(await page.evaluate('isSecureContext')).toBe(true);
    await until('the tunnel', async () => (await secure(host)).status === 200);
    await page.goto(`https://${host}:${httpsPort}`);
    expect(await page.textContent('body')).toBe(`origin of ${host}:${httpsPort} by https`);
  });
});
