import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { createLog } from '@talpa/service-kit/log';
import { frame } from '@talpa/test-kit/frames';
import { ok } from '@talpa/test-kit/http2-peer';
import { freePorts } from '@talpa/test-kit/ports';
import { ask, begin, type RawAsk, read } from '@talpa/test-kit/raw-http';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { connectPair, proxyTo, type TestConnection } from '@talpa/test-kit/tunnel-connection';
import { host, noWall, settingsOf } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createTraffic } from '../traffic/traffic.ts';
import { startVisitorSide } from '../visitors/start.ts';
import { startPeers } from './peers.ts';
import { tunnelHeader } from './protocol.ts';
import { clientTrust } from './trust.ts';

const stores = useStores();
const log = createLog('edge', 'fatal');
const secret = 'a-secret-that-all-edges-of-this-test-share';
const tunnelId = randomUUID();
/** What its game port leads to. */
const gameServer = '127.0.0.1:25565';
let sql: Sql;
let handler: RequestListener = (_request, response) => response.end('origin');
const origin = createServer((request, response) => handler(request, response));

beforeAll(async () => {
  const urlOf = await newSchemas(stores, 'tunnel-provider', 'edge');
  sql = openDatabase(urlOf('edge'), 8);
  const ofApi = openDatabase(urlOf('tunnel-provider'), 1);
  await ofApi`insert into tunnels (id, name, config_src, secret, key_id, secret_hash)
    values (${tunnelId}, 'one', 'cloudflare', '', 'k1', '')`;
  await ofApi.end();
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
});
afterAll(async () => {
  origin.closeAllConnections();
  origin.close();
  await sql.end();
});

/** An edge with its listeners, which holds the connections a test gives it. */
async function startEdge(peerSecret = secret) {
  const edgeId = randomUUID();
  const connections: TestConnection[] = [];
  const peers = await startPeers(
    { EDGE_DRAIN_MS: 2_000, EDGE_PEER_HOST: '127.0.0.1', EDGE_PEER_PORT: 0, EDGE_PEER_SECRET: peerSecret },
    sql,
    edgeId,
    () => connections.find(({ edge }) => !edge.closed && !edge.destroyed) ?? null,
    log,
    (tunnel, target) => tunnel === tunnelId && target === gameServer,
  );
  const side = await startVisitorSide(
    settingsOf(),
    {
      findRoute: () => ({ proxyId: 'p1', tunnelId }),
      findRule: async () => 0,
      ...{ isKnown: () => true, isThere: async () => true, pick: peers.pick },
    },
    noWall,
    createTraffic(),
    log,
  );
  return {
    port: side.httpPort,
    edgeId,
    connections,
    side,
    peers,
    hold: async () => {
      connections.push(await connectPair(proxyTo((origin.address() as AddressInfo).port)));
      await sql`
        insert into tunnel_provider.connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip,
          run_at, edge_id)
        values (gen_random_uuid(), ${tunnelId}, gen_random_uuid(), '1', 'x', 'edge', '127.0.0.1', now(), ${edgeId})`;
    },
    stop: async () => {
      await peers.close();
      await side.stop();
      peers.destroy();
      for (const { edge, socket } of connections) {
        edge.destroy();
        socket.destroy();
      }
    },
  };
}
type Edge = Awaited<ReturnType<typeof startEdge>>;
let edges: Edge[] = [];
const start = async (peerSecret?: string) => {
  const edge = await startEdge(peerSecret);
  edges.push(edge);
  return edge;
};
beforeEach(() => {
  handler = (_request, response) => response.end('origin');
});
afterEach(async () => {
  await Promise.all(edges.map((edge) => edge.stop()));
  edges = [];
  await sql`delete from tunnel_provider.connections`;
});

it('reaches a connector that is at another edge: body, Set-Cookie, trailers, the visitor’s address', async () => {
  const [here, there] = [await start(), await start()];
  await there.hold();
  handler = async (request, response) => {
    let length = 0;
    for await (const chunk of request) length += (chunk as Buffer).length;
    response.writeHead(200, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Trailer', 'x-sum']);
    response.write(`${length} ${request.headers['cf-connecting-ip']} ${request.headers['x-talpa-tunnel']}`);
    response.addTrailers({ 'x-sum': '7' });
    response.end();
  };
  const body = Buffer.alloc(3_000_000);
  const response = await ask({ port: here.port, host, method: 'POST', body });
  expect(response).toMatchObject({
    status: 200,
    body: '3000000 127.0.0.1 undefined',
    trailers: { 'x-sum': '7' },
  });
  expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
});

it('gives the panel what it would get at the edge that has the connector', async () => {
  const [here, there] = [await start(), await start()];
  await there.hold();
  const seen: string[] = [];
  handler = (request, response) => {
    const { method, url, rawHeaders } = request;
    const lines = rawHeaders.flatMap((name, at) => (at % 2 ? [] : [`${name}: ${rawHeaders[at + 1]}`]));
    const kept = lines.filter((line) => !line.startsWith('cf-ray: '));
    seen.push([`${method} ${url}`, ...kept.sort()].join('\n'));
    response.end('origin');
  };
  const asked: readonly Partial<RawAsk>[] = [
    { headers: { 'x-many': ['1', '2', '3', '2'], accept: ['a/b', 'c/d'], 'x-one': '1' } },
    { headers: { cookie: 'a=1; b=2', 'if-none-match': '"1", "2"', te: 'trailers', 'x-many': ['', 'x'] } },
    {
      path: '/a%2Fb/?c=d&c=e',
      headers: { via: ['1.1 a', '1.1 b'], 'x-forwarded-for': ['1.1.1.1', '2.2.2.2'] },
    },
    { method: 'PUT', headers: { 'content-type': 'text/plain', 'x-many': ['1', '2'] }, body: 'body' },
    { method: 'OPTIONS', headers: { 'access-control-request-headers': 'a, b', origin: 'http://a.test' } },
  ];
  for (const one of asked)
    for (const { port } of [there, here]) expect((await ask({ port, host, ...one })).status).toBe(200);
  const direct = seen.filter((_, at) => at % 2 === 0);
  expect(direct[0]).toContain('x-many: 3');
  expect(seen.filter((_, at) => at % 2 === 1)).toEqual(direct);
});

it('no trailers and no headers of a connector end an edge that passes them on', async () => {
  const [here, there] = [await start(), await start()];
  await there.hold();
  const [connection] = there.connections;
  const passOn = connection?.onStream;
  for (const [name, value] of [
    ['te', 'gzip'],
    ['http2-settings', 'a'],
  ] as const)
    for (const inTrailers of [true, false]) {
      const field = Buffer.from(
        `\0${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`,
      );
      const heads = inTrailers ? [ok, field] : [Buffer.concat([ok, field])];
      if (connection)
        connection.onStream = ({ id = 0 }) =>
          void connection.socket.write(
            Buffer.concat(heads.map((head, at) => frame(1, at === heads.length - 1 ? 5 : 4, id, head))),
          );
      await ask({ port: here.port, host }).catch(() => null);
    }
  if (connection && passOn) connection.onStream = passOn;
  expect(await ask({ port: here.port, host })).toMatchObject({ status: 200, body: 'origin' });
});

it('ends with the connection at the other edge: 502 before the response, broken off within it', async () => {
  const [here, there] = [await start(), await start()];
  await there.hold();
  let seen = 0;
  handler = (request, response) => {
    seen += 1;
    if (request.url === '/half') response.write('half');
  };
  const half = await begin({ port: here.port, host, path: '/half' });
  await once(half, 'data');
  const silent = ask({ port: here.port, host });
  await until('both requests at the panel', () => seen === 2);
  there.connections[0]?.socket.destroy();
  await expect(read(half)).rejects.toThrow('aborted');
  expect((await silent).status).toBe(502);
});

it('goes no further than one edge: two that think the other has the connector respond with 503', async () => {
  const [here, there] = [await start(), await start()];
  await here.hold();
  await there.hold();
  for (const { connections } of [here, there]) connections.pop()?.socket.destroy();
  expect([502, 503]).toContain((await ask({ port: here.port, host })).status);
  await until('that nothing runs', () => here.side.running() + there.side.running() === 0);
});

it('loses no new request while edges restart one after the other', async () => {
  const visitors = await start();
  let holder = await start();
  await holder.hold();
  let going = true;
  const responses: number[] = [];
  const load = (async () => {
    while (going) responses.push((await ask({ port: visitors.port, host })).status);
  })();
  for (let round = 0; round < 3; round += 1) {
    const next = await start();
    await next.hold();
    const before = responses.length;
    // A restarting edge's connectors have gone to the next one when it stops.
    await sql`delete from tunnel_provider.connections where edge_id = ${holder.edgeId}`;
    await holder.stop();
    edges = edges.filter((edge) => edge !== holder);
    holder = next;
    await until('some more responses', () => responses.length > before + 20);
  }
  going = false;
  await load;
  expect(new Set(responses)).toEqual(new Set([200]));
});

it('killed edges that are still listed cost no request, not even one with a body', async () => {
  const [here, there] = [await start(), await start()];
  await there.hold();
  const killed = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of killed) {
    const address = `127.0.0.1:${await freePorts(1)}`;
    await sql`insert into edges (id, address) values (${id}, ${address})`;
    await sql`
      insert into tunnel_provider.connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip, run_at, edge_id)
      values (gen_random_uuid(), ${tunnelId}, gen_random_uuid(), '1', 'x', 'edge', '127.0.0.1', now(), ${id})`;
  }
  onTestFinished(async () => void (await sql`delete from edges where id in ${sql(killed)}`));
  const visit = (at: number) =>
    ask({ port: here.port, host, ...(at % 2 ? { method: 'POST', body: 'body' } : {}) });
  const responses = await Promise.all(Array.from({ length: 40 }, (_, at) => visit(at)));
  expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
});

it('passes on what visitors may ask, and nothing else that an edge may say to a connector', async () => {
  const there = await start();
  await there.hold();
  const received: unknown[] = [];
  const [connection] = there.connections;
  const onStream = connection?.onStream;
  if (connection)
    connection.onStream = (stream, headers) => {
      received.push(headers[':path']);
      onStream?.(stream, headers);
    };
  const [row] = await sql<{ address: string }[]>`select address from edges where id = ${there.edgeId}`;
  const session = connectHttp2(`https://${row?.address}`, { ...clientTrust(secret), ALPNProtocols: ['h2'] });
  onTestFinished(() => session.destroy());
  const send = async (path: string, purpose?: string, more: Record<string, string> = {}) => {
    const upgrade = purpose ? { 'cf-cloudflared-proxy-connection-upgrade': purpose } : {};
    const stream = session.request({
      ':path': path,
      ':authority': host,
      [tunnelHeader]: tunnelId,
      ...upgrade,
      ...more,
    });
    stream.on('error', () => {}).resume();
    await new Promise((resolve) => stream.once('close', resolve));
    return stream.rstCode;
  };
  expect([await send('/configure', 'update-configuration'), await send('/visit')]).toEqual([
    constants.NGHTTP2_REFUSED_STREAM,
    0,
  ]);
  const dial = { 'cf-cloudflared-proxy-src': '192.0.2.1' };
  const ssh = { ...dial, ':authority': '127.0.0.1:22' };
  const game = { ...dial, ':authority': gameServer };
  const other = { ...game, [tunnelHeader]: randomUUID() };
  for (const [path, purpose, more] of [
    ['/ssh', undefined, ssh],
    ['/other', undefined, other],
    ['/both', 'websocket', game],
  ] as const)
    expect(await send(path, purpose, more)).toBe(constants.NGHTTP2_REFUSED_STREAM);
  await send('/game', undefined, game);
  expect(received).toEqual(['/visit', '/game']);
});

it('is closed to who does not know the secret', async () => {
  const here = await start();
  const [row] = await sql<{ address: string }[]>`select address from edges where id = ${here.edgeId}`;
  const session = connectHttp2(`https://${row?.address}`, clientTrust('another-secret-of-sufficient-length'));
  const [error] = await once(session, 'error');
  expect(String(error)).toMatch(/psk|decrypt|alert|bad record|SSL|ECONNRESET/i);
  const plain = connectHttp2(`https://${row?.address}`, { rejectUnauthorized: false });
  await once(plain, 'error');
});
