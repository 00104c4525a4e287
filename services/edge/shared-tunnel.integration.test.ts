import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LoggedRequests } from '@talpa/contracts';
import { proxyTo, startTestConnector } from '@talpa/test-kit/connector/connector';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { addGamePort, join, startGameServer } from '@talpa/test-kit/game-ports';
import { ask } from '@talpa/test-kit/raw-http';
import { useStores } from '@talpa/test-kit/stores';
import type { OnStream } from '@talpa/test-kit/tunnel-connection';
import { until } from '@talpa/test-kit/wait';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

const provider = useProvider(useStores());
const allowAll = { kind: 'rules', rules: [], otherwise: 'allow' } as const;
const logged: LoggedRequests['entries'] = [];
const keep = ({ entries }: LoggedRequests) => void logged.push(...entries);
const test = useEdge(
  provider,
  { EDGE_CONCURRENT_LIMIT: '2', EDGE_TCP_HOST: '127.0.0.1', EDGE_TCP_PORTS: '1024-65535' },
  { requestsOut: { store: async (requests) => keep(requests), show: keep } },
);
const tunnels = '/client/v4/accounts/account1/cfd_tunnel';
const records = '/client/v4/zones/zone1/dns_records';

/** What waits at the panels: they answer `/slow` when the test says so, everything else with the host that was asked for. */
const waiting: ServerResponse[] = [];
const origin = createServer((request, response) => {
  if (request.url === '/slow') waiting.push(response);
  else response.end(request.headers.host);
});
/** The proxies whose panel the connector cannot reach. */
const dead = new Set<string>();
let tunnelId = '';
let connector: Awaited<ReturnType<typeof startTestConnector>>;

interface Shared {
  readonly uuid: string;
  readonly host: string;
  readonly record: string;
  visit(path?: string): Promise<{ status: number; code: unknown; body: string }>;
}
let one: Shared;
let sibling: Shared;

/** A proxy with a name that leads to the tunnel of all. @param hasPolicy whether its owner has ever said whom it lets in */
async function share(hasPolicy = true): Promise<Shared> {
  const uuid = randomUUID();
  const host = `p${uuid.slice(0, 8)}.tunnel.localhost`;
  if (hasPolicy) await provider.setPolicy(uuid, host, { kind: 'open' });
  const record = await provider.lead(host, tunnelId, uuid);
  const visit = async (path = '/') => {
    const visited = await ask({ port: test.edge.visitors.httpPort, host, path });
    return { status: visited.status, code: visited.headers['x-edge-error'], body: visited.body };
  };
  return { uuid, host, record, visit };
}
/** A visit that the panel has begun to serve. */
async function slowVisit({ visit }: Shared) {
  const before = waiting.length;
  const visited = visit('/slow');
  await until('it waits', () => waiting.length > before);
  return [visited] as const;
}
const rule = ({ host }: Shared, service = 'http://127.0.0.1:40120') => ({ hostname: host, service });
const configure = (...rules: object[]) =>
  provider.send('PUT', `${tunnels}/${tunnelId}/configurations`, {
    config: { ingress: [...rules, { service: 'http_status:404' }] },
  });

beforeAll(async () => {
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
});
beforeEach(async () => {
  logged.length = 0;
  const { body } = await provider.send('POST', tunnels, {
    name: `t${randomUUID()}`,
    config_src: 'cloudflare',
  });
  const made = body.result as { id: string; token: string };
  tunnelId = made.id;
  [one, sibling] = [await share(), await share()];
  await configure(rule(one), rule(sibling));
  const { port } = origin.address() as AddressInfo;
  const onStream: OnStream = (stream, headers) =>
    proxyTo(dead.has(String(headers[':authority'])) ? 1 : port)(stream, headers);
  connector = await startTestConnector({
    ...{ port: test.edge.connectors.port, ca: test.ca, token: made.token, onStream },
  });
  for (const proxy of [one, sibling])
    expect(await proxy.visit()).toMatchObject({ status: 200, body: proxy.host });
});
afterEach(async () => {
  dead.clear();
  connector.kill();
  await until('no connector', () => test.edge.connectors.registry.size === 0);
});
afterAll(() => {
  origin.closeAllConnections();
  origin.close();
});

it('who is at an open proxy leaves when it is deleted, and stays when it gets another address', async () => {
  const [gone, left] = [await share(false), await share(false)];
  await configure(rule(gone), rule(left));
  const [[open], [moved]] = [await slowVisit(gone), await slowVisit(left)];
  await provider.send('DELETE', `${records}/${left.record}`);
  await until('the address to be gone', async () => (await left.visit()).code === 'unknown_host');
  await provider.proxiesSql`update proxies set removed_at = now() where uuid = ${gone.uuid}`;
  await provider.send('DELETE', `${records}/${gone.record}`);
  expect(await open).toMatchObject({ code: 'access_denied' });
  for (const response of waiting.splice(0)) if (!response.destroyed) response.end('to the end');
  expect(await moved).toMatchObject({ status: 200, body: 'to the end' });
});

it('each proxy is judged by its own policy, and takes it along with its record', async () => {
  await provider.setPolicy(one.uuid, one.host, { kind: 'rules', rules: [], otherwise: 'deny' });
  await until('the policy', async () => (await one.visit()).code === 'access_denied');
  expect(await sibling.visit()).toMatchObject({ status: 200, body: sibling.host });
  // The same name of the same tunnel, in one change: it is the other proxy's now.
  await provider.send('PATCH', `${records}/${sibling.record}`, { comment: `talpa x ${one.uuid}` });
  await until('the policy', async () => (await sibling.visit()).code === 'access_denied');
});

it('a name whose record says no proxy is open to nobody: 503', async () => {
  await provider.send('PATCH', `${records}/${one.record}`, { comment: 'by hand' });
  await until('the page', async () => (await one.visit()).code === 'route_unavailable');
  expect(await one.visit()).toMatchObject({ status: 503 });
  expect(await sibling.visit()).toMatchObject({ status: 200 });
});

it('what a visitor has open is judged by its proxy’s policy alone, and by no other when the name becomes another one’s', async () => {
  const [[visit], [siblings]] = [await slowVisit(one), await slowVisit(sibling)];
  await provider.setPolicy(one.uuid, one.host, { kind: 'rules', rules: [], otherwise: 'deny' });
  expect(await visit).toMatchObject({ code: 'access_denied' });
  waiting.at(-1)?.end('to the end');
  expect(await siblings).toMatchObject({ status: 200, body: 'to the end' });
  // The policy of a third one lets everyone in; the visitor came in by that of the second.
  const third = await share();
  const [taken] = await slowVisit(sibling);
  await provider.send('PATCH', `${records}/${sibling.record}`, { comment: `talpa x ${third.uuid}` });
  expect(await taken).toMatchObject({ code: 'access_denied' });
});

it('who may not stay leaves also when the database did not answer at first', async () => {
  const owner = provider.proxiesOwnerSql;
  const [role] = await provider.edgeSql<{ name: string }[]>`select current_user::text as name`;
  const edge = owner(role?.name ?? '');
  await provider.setPolicy(one.uuid, one.host, allowAll);
  await until('the policy', async () => (await one.visit()).status === 200);
  const [visit] = await slowVisit(one);
  await owner`revoke select on access_policies from ${edge}`;
  await provider.setPolicy(one.uuid, one.host, { kind: 'rules', rules: [], otherwise: 'deny' });
  await until('a look that fails', async () => (await one.visit()).code === 'route_unavailable');
  await owner`grant select on access_policies to ${edge}`;
  expect(await visit).toMatchObject({ code: 'access_denied' });
});

it('a suspended proxy is closed, and its siblings are not', async () => {
  await configure(rule(one, 'http_status:403'), rule(sibling));
  await until('the suspension', async () => (await one.visit()).code === 'suspended');
  expect(await sibling.visit()).toMatchObject({ status: 200 });
  await configure(rule(one), rule(sibling, 'http_status:403'));
  await until('the other suspension', async () => (await sibling.visit()).code === 'suspended');
  expect(await one.visit()).toMatchObject({ status: 200 });
  await provider.send('PUT', `${tunnels}/${tunnelId}/configurations`, {
    config: { ingress: [{ service: 'http_status:403' }] },
  });
  await until('the suspension of their owner', async () => (await one.visit()).code === 'suspended');
  expect(await sibling.visit()).toMatchObject({ code: 'suspended' });
});

it('a proxy whose limit is reached leaves its sibling all of its own', async () => {
  const [visit] = await slowVisit(one);
  expect(await one.visit()).toMatchObject({ code: 'too_many_requests' });
  expect(await sibling.visit()).toMatchObject({ status: 200 });
  waiting.at(-1)?.end();
  await visit;
});

it('each request is in the log of its own proxy', async () => {
  await one.visit('/of-one');
  await sibling.visit('/of-sibling');
  await until('both entries', () => logged.filter(({ path }) => path.startsWith('/of-')).length === 2);
  const whose = Object.fromEntries(logged.map(({ path, proxyId }) => [path, proxyId]));
  expect(whose).toMatchObject({ '/of-one': one.uuid, '/of-sibling': sibling.uuid });
});

it('a name whose proxy does not exist is open to nobody: 503', async () => {
  await provider.send('PATCH', `${records}/${one.record}`, { comment: `talpa x ${randomUUID()}` });
  await until('the page', async () => (await one.visit()).code === 'route_unavailable');
  expect(await one.visit()).toMatchObject({ status: 503 });
  expect(await sibling.visit()).toMatchObject({ status: 200 });
});

it('a suspended proxy’s open requests end, and nothing of its sibling’s', async () => {
  const [open] = await slowVisit(one);
  const [siblings] = await slowVisit(sibling);
  const connections = test.edge.connectors.registry.all().map(({ id }) => id);
  await configure(rule(one, 'http_status:403'), rule(sibling));
  expect(await open).toMatchObject({ status: 403, code: 'suspended' });
  for (const response of waiting.splice(0)) if (!response.destroyed) response.end('late');
  expect(await siblings).toMatchObject({ status: 200, body: 'late' });
  expect(test.edge.connectors.registry.all().map(({ id }) => id)).toEqual(connections);
});

it('a paused proxy’s open requests end with its message at once, whatever its rule; its sibling’s and its game ports go on', async () => {
  const { port: targetPort } = await startGameServer((socket) => void socket.pipe(socket));
  const { publicPort } = await addGamePort(provider, { tunnelId, targetPort, uuid: one.uuid });
  const ports = test.edge.visitors.gamePorts;
  await until('the public port', () => ports?.publicPorts().includes(publicPort));
  const player = join(publicPort);
  player.socket.write('before');
  await until('the echo', () => player.count() === 6);
  const [open] = await slowVisit(one);
  const [siblings] = await slowVisit(sibling);
  const pause = (at: Date | null, message: string | null) => provider.proxiesSql`
    update proxies set paused_at = ${at}, pause_message = ${message} where uuid = ${one.uuid}`;
  await pause(new Date(), 'Kaffee');
  expect(await open).toMatchObject({ status: 503, code: 'paused', body: expect.stringContaining('Kaffee') });
  expect(await one.visit()).toMatchObject({ status: 503, code: 'paused' });
  await pause(new Date(), 'Tee');
  await until('the other message', async () => (await one.visit()).body.includes('Tee'));
  for (const response of waiting.splice(0)) if (!response.destroyed) response.end('late');
  expect(await siblings).toMatchObject({ status: 200, body: 'late' });
  player.socket.write(' after');
  await until('the echo', () => player.count() === 12);
  player.socket.destroy();
  await pause(null, null);
  await until('the end of the pause', async () => (await one.visit()).status === 200);
});

// The edge counts by quarters of an hour: the test may meet the next one.
it('traffic, and a panel that does not respond, are those of their own proxy', async () => {
  const of = ({ uuid }: Shared) => provider.edgeSql<
    { requests: number; lastStatus: number | null; isDead: boolean }[]
  >`
    select sum(requests)::int as requests, last_status, last_unreachable_at is not null as is_dead
    from traffic join origins using (tunnel_id) where tunnel_id = ${uuid} group by last_status, is_dead`;
  const stored = (proxy: Shared, requests: number) =>
    until('its traffic', async () => (await of(proxy))[0]?.requests === requests);
  await Promise.all([stored(one, 1), stored(sibling, 1)]);
  dead.add(one.host);
  expect(await one.visit()).toMatchObject({ code: 'origin_unreachable' });
  await stored(one, 2);
  await sibling.visit();
  await stored(sibling, 2);
  expect([await of(one), await of(sibling)]).toEqual([
    [{ requests: 2, lastStatus: 200, isDead: true }],
    [{ requests: 2, lastStatus: 200, isDead: false }],
  ]);
  expect(await provider.edgeSql`select 1 from traffic where tunnel_id = ${tunnelId}`).toEqual([]);
});

it('game ports are those of their own proxy: target, suspension, traffic', async () => {
  // The first is played at most a few times until its suspension shows.
  const sizes = [10, 10_000];
  const ports = await Promise.all(
    [one, sibling].map(async ({ uuid }, index) => {
      const { port: targetPort } = await startGameServer(
        (socket) => void socket.end(String(index).repeat(sizes[index] ?? 0)),
      );
      return addGamePort(provider, { tunnelId, targetPort, uuid });
    }),
  );
  const isOpen = ({ publicPort }: { publicPort: number }) =>
    test.edge.visitors.gamePorts?.publicPorts().includes(publicPort);
  await until('both public ports', () => ports.every(isOpen));
  const play = async ({ publicPort }: { publicPort: number }) => {
    const player = join(publicPort);
    player.socket.write('hello');
    await until('the end', () => player.ended());
    return player.count();
  };
  const [first, second] = ports as [(typeof ports)[number], (typeof ports)[number]];
  expect([await play(first), await play(second)]).toEqual(sizes);
  await provider.proxiesSql`update proxies set suspended_at = now() where uuid = ${one.uuid}`;
  await until('the suspension', async () => (await play(first)) === 0);
  expect(await play(second)).toBe(10_000);
  const bytesOf = async ({ uuid }: Shared) => {
    const [row] = await provider.edgeSql<{ bytesOut: number }[]>`
      select sum(bytes_out)::int as bytes_out from traffic where tunnel_id = ${uuid}`;
    return row?.bytesOut ?? 0;
  };
  await until(
    'the bytes of both plays',
    async () => (await bytesOf(sibling)) === 20_000 + sibling.host.length,
  );
  expect(await bytesOf(one)).toBeLessThan(1_000);
});
