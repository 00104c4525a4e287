import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProxyEvent, ResponseOf, Routes } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { type RunningConnector, startOurs } from '@talpa/test-kit/connector/connectors';
import { type Reader, readLive } from '@talpa/test-kit/live';
import { freePort } from '@talpa/test-kit/ports';
import { ask } from '@talpa/test-kit/raw-http';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const system = useSharedTalpa();

type Health = ResponseOf<Routes['GET /api/tunnel-configs/:id/health']>;
const answers: Record<string, number> = { '/': 200, '/missing': 404, '/broken': 500 };
const origin = createServer((request, response) => {
  response.writeHead(answers[request.url ?? ''] ?? 200).end('x'.repeat(1_000));
});
let originPort = 0;
let client: Client;
let id = 0;
let host = '';
let reader: Reader;
const connectors: RunningConnector[] = [];

beforeAll(async () => {
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done));
  originPort = (origin.address() as AddressInfo).port;
});
afterAll(() => {
  origin.closeAllConnections();
  origin.close();
});
beforeEach(async () => {
  ({ client } = await newUser(system.url, 'basic'));
  const { proxy } = await client.call('POST /api/tunnel-configs', { ...proxyInput(), adminPort: originPort });
  id = proxy.id;
  host = proxy.cfDomain;
  reader = await readLive(system.url, client.cookie);
  await reader.saw({ type: 'refetch' });
});
afterEach(async () => {
  reader?.close();
  for (const one of connectors.splice(0)) await one.stop();
});

const edge = () => {
  const { edge: facts } = system.talpa;
  if (!facts) throw new Error('there is no edge');
  return facts;
};
async function connect(toPort = originPort): Promise<RunningConnector> {
  const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id });
  const { connectorPort: port, authorityFile } = edge();
  const ca = readFileSync(authorityFile, 'utf8');
  const started = await startOurs({ port, ca, token, originPort: toPort });
  connectors.push(started);
  return started;
}
const visit = (path = '/', method = 'GET') => ask({ port: edge().visitorPort, host, path, method });
const health = () => client.call('GET /api/tunnel-configs/:id/health', { id });
const becomes = (what: string, is: (health: Health) => unknown) =>
  until(what, async () => {
    const now = await health();
    return is(now) ? now : null;
  });

it.each(['429', 'drop', '500'] as const)(
  'a change of the connector arrives though the provider fails when it is asked (%s)',
  async (fault) => {
    const connector = await connect();
    const status = async () => (await client.call('GET /api/tunnel-configs/:id', { id })).status;
    await until('the connector to be there', async () => (await status()) === 'active');
    const provider = providerOf(system.talpa);
    onTestFinished(async () => void (await provider.clearFaults()));
    await provider.fault({ match: { operation: 'getTunnel' }, fault, times: 2 });
    await connector.stop();
    await until('the connector to be away', async () => (await status()) === 'inactive');
  },
);

describe('a proxy’s page', () => {
  it('shows its connector, within two seconds when it comes and goes, and keeps that as history', async () => {
    expect((await health()).connector).toMatchObject({
      connections: 0,
      connectedSince: null,
      lastSeenAt: null,
    });
    const began = performance.now();
    const connector = await connect();
    await reader.saw({ type: 'proxy', id, status: 'active' });
    await reader.saw({ type: 'health', id, scope: 'own' });
    expect(performance.now() - began).toBeLessThan(2_000);
    const connected = await becomes('four connections', ({ connector }) => connector?.connections === 4);
    expect(connected.connector).toMatchObject({
      degraded: false,
      connectors: [{ arch: 'linux_amd64', connections: 4, address: '127.0.0.1' }],
    });
    // One of two that has lost connections is seen beside one that has all.
    const second = await connect();
    await becomes('two connectors', ({ connector }) => connector?.connections === 8);
    const sql = openDatabase(system.talpa.stores.adminUrl, 1);
    const { cfTunnelId } = await client.call('GET /api/tunnel-configs/:id', { id });
    await sql`
      delete from tunnel_provider.connections where id in (
        select id from tunnel_provider.connections where tunnel_id = ${cfTunnelId} order by client_id limit 2)`;
    await sql.end();
    const lessened = await becomes('fewer connections', ({ connector }) => connector?.connections === 6);
    expect(lessened.connector?.degraded).toBe(true);
    await second.kill();
    const before = reader.messages.length;
    await connector.kill();
    connectors.length = 0;
    await until('the live event', () => reader.messages.slice(before).some(({ type }) => type === 'health'));
    const gone = await becomes('nobody connected', ({ connector }) => connector?.connections === 0);
    expect(gone.connector).toMatchObject({ connectedSince: null, lastSeenAt: expect.any(String) });
    const { uptime } = await becomes('history of both', ({ uptime: { last24h } }) =>
      last24h.bars.some(({ up, down }) => up > 0 && down > 0),
    );
    expect(uptime.last7d.share).toBeGreaterThan(0);
    expect(uptime.last7d.share).toBeLessThan(1);
  });

  it('shows whether its panel responds, with a live event when that changes', async () => {
    await connect();
    await until('a visitor to get through', async () => (await visit()).status === 200);
    const ok = await becomes('an answer', ({ origin }) => origin?.state === 'ok');
    expect(ok.origin).toMatchObject({ lastStatus: 200, lastUnreachableAt: null, failures: 0 });
    await Promise.all(connectors.splice(0).map((one) => one.stop()));
    await connect(await freePort());
    const before = reader.messages.length;
    await until('a visitor to get the error page', async () => (await visit()).status === 502);
    const bad = await becomes('that it is unreachable', ({ origin }) => origin?.state === 'unreachable');
    expect(bad.origin?.failures).toBeGreaterThan(0);
    await until('the live event', () => reader.messages.slice(before).some(({ type }) => type === 'health'));
  });

  it('shows who did what to it and how its connector came and went, and that there is more', async () => {
    const connector = await connect();
    const events = () => client.call('GET /api/tunnel-configs/:id/events', { id });
    const eventOf = (what: string, is: (event: ProxyEvent) => boolean) =>
      until(what, async () => (await events()).find(is));
    await eventOf('that it came', (event) => event.kind === 'connector' && event.connected);
    await connector.stop();
    connectors.length = 0;
    await eventOf('that it went', (event) => event.kind === 'connector' && !event.connected);
    const before = reader.messages.length;
    const admin = await system.admin();
    await admin.call('PUT /api/tunnel-configs/:id', { ...proxyInput(), id, adminPort: originPort });
    const deed = (by: string, action: string) => (event: ProxyEvent) =>
      event.kind === 'deed' && event.by === by && event.action === action;
    await eventOf('what an administrator did', deed('administrator', 'proxy.update'));
    await until('the live event', () => reader.messages.slice(before).some(({ type }) => type === 'health'));
    await eventOf('what the owner did', deed('owner', 'proxy.create'));
    const all = await events();
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    expect(await client.call('GET /api/tunnel-configs/:id/events', { id, limit: 1 })).toEqual([all[0]]);
    expect(await admin.call('GET /api/tunnel-configs/:id/events', { id })).toEqual(all);
    // Where somebody was and what they used is their own business.
    expect(JSON.stringify(all)).not.toMatch(/"(client|address|userAgent)"/);
    const [row] = await client.call('GET /api/tunnel-configs', {});
    expect(row).toMatchObject({ tunnelHealth: 'down', tunnelHealthAt: expect.any(String) });
  });

  it('counts what went through, through a recreate too', async () => {
    await connect();
    await until('a visitor to get through', async () => (await visit()).status === 200);
    const before = await countedRequests();
    for (const path of ['/', '/', '/missing', '/broken']) await visit(path);
    await until('the traffic', async () => (await countedRequests()) >= before + 4);
    await client.call('POST /api/recreate-tunnel/:id', { id });
    await Promise.all(connectors.splice(0).map((one) => one.kill()));
    await connect();
    await until('a visitor to get through', async () => (await visit()).status === 200);
    const { today, days } = await until('the new tunnel’s too', async () => {
      const { figures } = await client.call('GET /api/tunnel-configs/:id/traffic', { id });
      return figures && figures.today.responses['2xx'] >= 4 ? figures : null;
    });
    expect(today.responses).toMatchObject({ '4xx': 1, '1xx': 0, '3xx': 0 });
    expect(today.responses['5xx']).toBeGreaterThanOrEqual(1);
    expect(today.bytesOut).toBeGreaterThanOrEqual(6_000);
    expect(days.at(-1)?.requests).toBe(today.requests);
  });
});

async function countedRequests(): Promise<number> {
  const { figures } = await client.call('GET /api/tunnel-configs/:id/traffic', { id });
  return figures?.today.requests ?? 0;
}
