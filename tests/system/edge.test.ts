import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stopMs } from '@talpa/service-kit/process/stopping';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { type RunningConnector, startOurs } from '@talpa/test-kit/connector/connectors';
import { join, startGameServer } from '@talpa/test-kit/game-ports';
import { ask, rawSocket } from '@talpa/test-kit/raw-http';
import { apart, useTalpa } from '@talpa/test-kit/system';
import { providerOf } from '@talpa/test-kit/tunnels';
import { until } from '@talpa/test-kit/wait';
import { startZoneServer } from '@talpa/test-kit/zone-server';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { ProcessFacts } from '../../launcher/processes/processes.ts';

// Nobody pages through the tunnels here: what is seen in time came by the provider's word.
const drainMs = 20_000;
const dns = await startZoneServer();
const system = useTalpa({
  ...apart,
  ...{ EDGE_CONNECTOR_PING_MS: '1000', EDGE_DRAIN_MS: String(drainMs), DNS_SERVERS: dns.server },
});
const soonMs = 2_000;

const origin = createServer((request, response) => {
  if (request.url === '/dead') request.socket.destroy();
  else response.end(`panel ${request.headers.host}`);
});
origin.on('upgrade', (request, socket) => {
  const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  socket.on('error', () => {});
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.pipe(socket);
});
let originPort = 0;
let connector: RunningConnector | undefined;
beforeAll(async () => {
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done));
  originPort = (origin.address() as AddressInfo).port;
});
afterEach(async () => {
  await connector?.kill();
  connector = undefined;
});
afterAll(() => {
  dns.stop();
  origin.closeAllConnections();
  origin.close();
});

const edge = () => {
  const { edge: facts } = system.talpa;
  if (!facts) throw new Error('there is no edge');
  return facts;
};
const statusOf = async (client: Client) => (await client.call('GET /api/tunnel-configs', {}))[0]?.status;
const becomes = (client: Client, status: string) =>
  until(`the panel to say ${status}`, async () => (await statusOf(client)) === status, soonMs);
const visit = (host: string) => ask({ port: edge().visitorPort, host, path: '/' });

async function newProxy() {
  const { client } = await newUser(system.url, 'free');
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
  return { client, proxy, host: proxy.cfDomain, token };
}
/** A visitor's WebSocket; `echoes` sends a text and waits for it to come back. */
async function openWebSocket(host: string) {
  const { socket, received } = rawSocket(
    edge().visitorPort,
    `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  onTestFinished(() => void socket.destroy());
  await until('the upgrade', () => received().includes('s3pPLMBiTxaQ9kYGzzhZRbK+xOo='));
  const echoes = (text: string) => {
    socket.write(text);
    return until(`the echo of ${text}`, () => received().endsWith(text));
  };
  return { socket, echoes };
}
/** Sends a signal to a process. @returns waits until another one has taken its place */
function signal(part: string, name: NodeJS.Signals) {
  const pid = system.pid(part);
  if (pid === null) throw new Error(`${part} does not run`);
  process.kill(pid, name);
  return () => until(`another ${part}`, () => system.pid(part) !== pid && system.pid(part));
}
const start = async (token: string) => {
  const { connectorPort: port, authorityFile } = edge();
  connector = await startOurs({ port, ca: readFileSync(authorityFile, 'utf8'), token, originPort });
  return connector;
};

it('a proxy’s own token opens its subdomain over HTTP and WebSocket, and the panel says so within two seconds', async () => {
  const { client, proxy, host, token } = await newProxy();
  expect((await visit(host)).status).toBe(503);
  const running = await start(token);
  await becomes(client, 'active');
  expect(await visit(host)).toMatchObject({ status: 200, body: `panel ${host}` });
  const { socket, echoes } = await openWebSocket(host);
  await echoes('hello');
  socket.destroy();
  await running.stop();
  await becomes(client, 'inactive');

  await start(token);
  await becomes(client, 'active');
  await client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
  await until('nobody to know the name', async () => (await visit(host)).status === 404);
});

it('a verified custom domain opens the panel behind its proxy, and nothing once it is suspended or removed', async () => {
  const { client, proxy, token } = await newProxy();
  const host = `panel-${randomUUID().slice(0, 8)}.example.org`;
  const add = (name: string) =>
    client.call('POST /api/tunnel-configs/:id/domains', { id: proxy.id, host: name });
  await expect(add(host)).rejects.toThrow('domain_limit_reached');
  await client.call('POST /api/user/subscription', { planId: 'basic' });
  const domain = await add(host);
  expect(domain).toMatchObject({ state: 'pending', problem: 'challenge_missing' });
  await start(token);
  expect((await visit(host)).status).toBe(404);
  for (const { type, name, value } of domain.records) dns.set(type, name, value);
  const one = { id: proxy.id, domainId: domain.id };
  await until('the domain to be verified', async () => {
    const { state } = await client.call('POST /api/tunnel-configs/:id/domains/:domainId/check', one);
    return state === 'verified';
  });
  await until('the panel behind', async () => (await visit(host)).status === 200);
  expect((await visit(host)).body).toBe(`panel ${host}`);
  const { proxies } = await client.call('GET /api/user/export', {});
  expect(proxies).toMatchObject([{ id: proxy.id, domains: [{ host, state: 'verified' }] }]);
  const root = await system.admin();
  await root.call('POST /api/admin/tunnel-configs/:id/suspension', { id: proxy.id, reason: 'Spam' });
  await until('visitors to be refused', async () => (await visit(host)).status === 403);
  await root.call('DELETE /api/admin/tunnel-configs/:id/suspension', { id: proxy.id });
  await until('the suspension to be lifted', async () => (await visit(host)).status !== 403);
  await start(token);
  await until('the panel behind', async () => (await visit(host)).status === 200);
  await client.call('DELETE /api/tunnel-configs/:id/domains/:domainId', one);
  expect((await visit(host)).status).toBe(404);
  expect((await visit(proxy.cfDomain)).status).toBe(200);
});

it('a changed policy is enforced within a second of its acknowledgement, for new visitors and for what is open', async () => {
  const { client, proxy, host, token } = await newProxy();
  await start(token);
  await until('the panel behind', async () => (await visit(host)).status === 200);
  const set = (otherwise: 'allow' | 'deny') =>
    client.call('PUT /api/tunnel-configs/:id/access', {
      id: proxy.id,
      policy: { kind: 'rules', rules: [], otherwise },
    });
  const { socket } = await openWebSocket(host);
  const ended = new Promise((done) => socket.once('close', done));
  await set('deny');
  const acknowledged = performance.now();
  await ended;
  await until('visitors to be refused', async () => (await visit(host)).status === 403);
  expect(performance.now() - acknowledged).toBeLessThan(1_000);
  await set('allow');
  await until('visitors to be let in', async () => (await visit(host)).status === 200);
  // The policy is the proxy's, whatever its tunnel.
  await set('deny');
  await client.call('POST /api/recreate-tunnel/:id', { id: proxy.id });
  await until('the new tunnel', async () => [403, 503].includes((await visit(host)).status));
  expect((await visit(host)).status).toBe(403);
});

it('a pause acts within a second of its acknowledgement, keeps the connector, and its end lets visitors through', async () => {
  const { client, proxy, host, token } = await newProxy();
  const connector = await start(token);
  await until('the panel behind', async () => (await visit(host)).status === 200);
  const { socket } = await openWebSocket(host);
  const ended = new Promise((done) => socket.once('close', done));
  const one = { id: proxy.id };
  await client.call('PUT /api/tunnel-configs/:id/pause', { ...one, message: 'Um 18 Uhr zurück' });
  const acknowledged = performance.now();
  await ended;
  const page = await visit(host);
  expect(performance.now() - acknowledged).toBeLessThan(1_000);
  expect(page).toMatchObject({ status: 503, body: expect.stringContaining('Um 18 Uhr zurück') });
  await until('the rule to follow', async () => {
    const { changePending } = await client.call('GET /api/tunnel-configs/:id', one);
    return !changePending;
  });
  expect(await client.call('GET /api/tunnel-configs/:id', one)).toMatchObject({
    ...{ status: 'active', tunnelHealth: 'healthy', paused: { message: 'Um 18 Uhr zurück' } },
  });
  expect((await visit(host)).status).toBe(503);
  await client.call('DELETE /api/tunnel-configs/:id/pause', one);
  // Without another connector: none was cut off.
  await until('the panel behind', async () => (await visit(host)).status === 200);
  await connector.kill();
});

it('a game port leads players to the server behind the connector, until the proxy is suspended or deleted', async () => {
  const { client, proxy, token } = await newProxy();
  await client.call('POST /api/user/subscription', { planId: 'premium' });
  const game = await startGameServer();
  const { publicPort } = await client.call('POST /api/tunnel-configs/:id/ports', {
    id: proxy.id,
    ...{ targetPort: game.port, preset: 'minecraft', rules: { kind: 'open' }, proxyProtocol: false },
  });
  await start(token);
  const enter = () =>
    until('a player to be let in', async () => {
      const player = join(publicPort, { host: '127.0.0.2' });
      player.socket.write('hello');
      await until('an answer', () => player.received() === 'hello' || player.ended());
      return !player.ended() && player;
    });
  const player = await enter();
  const root = await system.admin();
  await root.call('POST /api/admin/tunnel-configs/:id/suspension', { id: proxy.id, reason: 'Spam' });
  await until('the end', () => player.ended());
  await root.call('DELETE /api/admin/tunnel-configs/:id/suspension', { id: proxy.id });
  // Visitors may not have met the suspension yet: only the connector itself knows that it is over.
  await until('the connector to be let in', async () => {
    await start(token);
    return true;
  });
  const again = await enter();
  await until('the figures', async () => {
    const { ports } = await client.call('GET /api/tunnel-configs/:id/ports', { id: proxy.id });
    return ports[0]?.traffic.connections === 2 && ports[0].traffic.open === 1;
  });
  await client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
  await until('the end', () => again.ended());
});

it('the request log says what visitors asked and why they were refused, and nothing once it is off', async () => {
  const { client, proxy, host, token } = await newProxy();
  const { id } = proxy;
  const list = (filters: object = {}) =>
    client.call('GET /api/tunnel-configs/:id/requests', { id, ...filters });
  const shows = (count: number) => until(`${count} entries`, async () => (await list()).length === count);
  await visit(host);
  await start(token);
  await becomes(client, 'active');
  const { headers } = await ask({ port: edge().visitorPort, host, path: '/login?key=secret' });
  await shows(2);
  expect(await list()).toMatchObject([
    { path: '/login', status: 200, network: '127.0.0.0/24', reason: null, requestId: headers['cf-ray'] },
    { path: '/', status: 503, reason: 'no_connector' },
  ]);
  expect(await list({ reason: 'no_connector' })).toHaveLength(1);
  const csv = await client.call('GET /api/tunnel-configs/:id/requests.csv', { id });
  expect(csv.split('\r\n')).toHaveLength(4);
  expect(csv).not.toContain('secret');
  const { requests } = await client.call('GET /api/user/export', {});
  expect(requests).toMatchObject([{ proxyId: id, path: '/' }, { path: '/login' }]);
  const change = (mode: 'off' | 'live' | 'metadata') =>
    client.call('PUT /api/tunnel-configs/:id/request-log', { id, mode });
  // An edge knows the new mode a second later at most.
  const recordedAgain = () =>
    until('an entry', async () => {
      await visit(host);
      return (await list()).length > 0;
    });
  expect(await change('live')).toMatchObject({ mode: 'live', entries: 0 });
  await recordedAgain();
  expect(await change('off')).toMatchObject({ mode: 'off', entries: 0, missed: 0 });
  expect((await visit(host)).status).toBe(200);
  expect(await list()).toEqual([]);
  const switchedOnAt = Date.now();
  expect(await change('metadata')).toMatchObject({ mode: 'metadata', days: 7, unavailable: null });
  await recordedAgain();
  for (const { at } of await list()) expect(Date.parse(at)).toBeGreaterThanOrEqual(switchedOnAt);
});

it('of two proxies on one tunnel each owner decides and sees what concerns their own panel alone', async () => {
  const [one, other] = [await newProxy(), await newProxy()];
  const provider = providerOf(system.talpa);
  const tunnelId = one.proxy.cfTunnelId ?? '';
  const rules = [one, other].map(({ host }) => ({ hostname: host, service: 'http://127.0.0.1:40120' }));
  await provider.configure(tunnelId, [...rules, { service: 'http_status:404' }]);
  const record = (await provider.records()).find(({ name }) => name === other.host);
  await provider.lead(record?.id ?? '', tunnelId);
  await start(one.token);
  for (const { host } of [one, other])
    await until('its panel', async () => (await visit(host)).body === `panel ${host}`);
  const ofPath = async ({ client, proxy }: typeof one, path: string) =>
    (await client.call('GET /api/tunnel-configs/:id/requests', { id: proxy.id, path })).length;
  const stateOf = async ({ client, proxy }: typeof one) =>
    (await client.call('GET /api/tunnel-configs/:id/health', { id: proxy.id })).origin?.state;
  await until('both panels to respond', async () =>
    [await stateOf(one), await stateOf(other)].every((state) => state === 'ok'),
  );
  expect((await ask({ port: edge().visitorPort, host: one.host, path: '/dead' })).status).toBe(502);
  await until('the outage of one', async () => (await stateOf(one)) === 'unreachable');
  await until('the entry', async () => (await ofPath(one, '/dead')) === 1);
  expect([await stateOf(other), await ofPath(other, '/dead')]).toEqual(['ok', 0]);
  const { figures } = await other.client.call('GET /api/tunnel-configs/:id/traffic', { id: other.proxy.id });
  expect(figures).toMatchObject({ today: { unreachable: 0 } });
  await other.client.call('PUT /api/tunnel-configs/:id/access', {
    id: other.proxy.id,
    policy: { kind: 'rules', rules: [], otherwise: 'deny' },
  });
  await until('visitors to be refused', async () => (await visit(other.host)).status === 403);
  expect((await visit(one.host)).status).toBe(200);
});

it('a recreated tunnel cuts the old connector, and its token opens nothing any more', async () => {
  const { client, proxy, host, token } = await newProxy();
  await start(token);
  await becomes(client, 'active');
  await client.call('POST /api/recreate-tunnel/:id', { id: proxy.id });
  await until('the old connector to be cut', async () => (await visit(host)).status === 503);
  await expect(start(token)).rejects.toThrow('Unauthorized');
  const { token: fresh } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
  await start(fresh);
  await becomes(client, 'active');
  expect((await visit(host)).body).toBe(`panel ${host}`);
});

it('when the edge dies the panel says so, and it comes back on the same ports with connectors and visitors', async () => {
  const { client, host, token } = await newProxy();
  await start(token);
  await becomes(client, 'active');
  const before = edge().connectorPort;
  const restarted = signal('edge', 'SIGKILL');
  // The launcher holds the port: a visitor waits for the next process and is not refused.
  const visitor = visit(host);
  await restarted();
  expect((await visitor).status).toBe(503);
  // What it had said before its death is no longer so, and its connector has not come back.
  await becomes(client, 'inactive');
  expect(edge().connectorPort).toBe(before);
  await until('a connector to get in', () => start(token).catch(() => null));
  await until('the visitor to get through', async () => (await visit(host)).status === 200);
});

it('while the provider’s API hangs and is killed, no visitor and no connector notices', async () => {
  const { client, host, token } = await newProxy();
  await start(token);
  await becomes(client, 'active');
  const { echoes } = await openWebSocket(host);
  await echoes('before');
  signal('tunnel-provider', 'SIGSTOP');
  await echoes('while it hangs');
  expect((await visit(host)).status).toBe(200);
  const restarted = signal('tunnel-provider', 'SIGKILL');
  await echoes('while it is dead');
  expect((await visit(host)).status).toBe(200);
  await restarted();
  await until('the API to respond', () => providerOf(system.talpa).tunnels());
  await echoes('afterwards');
  expect(await statusOf(client)).toBe('active');
});

it('while the edge hangs and is killed, no call of the API fails: a proxy is created, edited and deleted', async () => {
  const { client, proxy, host, token } = await newProxy();
  await start(token);
  await becomes(client, 'active');
  const isGone = async (tunnelId: string | null) =>
    (await providerOf(system.talpa).tunnels()).every(({ id }) => id !== tunnelId);
  const work = async () => {
    const { client: other } = await newUser(system.url, 'free');
    const { proxy: made } = await other.call('POST /api/tunnel-configs', proxyInput());
    expect(made.status).toBe('inactive');
    const edited = await other.call('PUT /api/tunnel-configs/:id', { id: made.id, ...proxyInput() });
    expect(edited.status).toBe('inactive');
    await other.call('DELETE /api/tunnel-configs/:id', { id: made.id });
    await until('the tunnel to be deleted', () => isGone(made.cfTunnelId));
  };
  const hanging = system.pid('edge');
  signal('edge', 'SIGSTOP');
  await work();
  // A tunnel that the edge holds connections of goes, too, and the edge is not waited for.
  await client.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
  await until('its tunnel to be deleted', () => isGone(proxy.cfTunnelId));
  expect(system.pid('edge')).toBe(hanging);
  const restarted = signal('edge', 'SIGKILL');
  await work();
  await restarted();
  await until('the edge to know that name no more', async () => (await visit(host)).status === 404);
});

it('may take so much longer to stop as what runs may take to finish', () => {
  const facts = system.talpa.parts.get('edge')?.facts as ProcessFacts;
  expect(facts.stopMs).toBe(stopMs + drainMs);
});
