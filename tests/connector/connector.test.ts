import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ConnectorStart,
  type RunningConnector,
  startOurs,
  startReal,
} from '@talpa/test-kit/connector/connectors';
import { useEdge } from '@talpa/test-kit/edge';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { ask, begin, rawSocket, read } from '@talpa/test-kit/raw-http';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

/** The same suite for every connector: ours, and the real one where CLOUDFLARED names it. */
const file = process.env.CLOUDFLARED;
const makes: [string, (start: ConnectorStart) => Promise<RunningConnector>][] = [['our own', startOurs]];
if (file) makes.push(['cloudflared', (start) => startReal(file, start)]);

const stores = useStores();
const provider = useProvider(stores);
const test = useEdge(provider);
const tunnels = '/client/v4/accounts/account1/cfd_tunnel';
const acceptOf = (key: string) =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

/** Has the open event stream say one thing more. */
let sayMore = () => {};
const answers: Record<string, RequestListener> = {
  '/plain': (_request, response) => response.end('plain'),
  '/cookies': (_request, response) => {
    response.setHeader('set-cookie', ['a=1; Path=/', 'b=2; Path=/']);
    response.writeHead(201).end('cookies');
  },
  '/length': (request, response) => {
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
    });
    request.on('end', () => response.end(String(bytes)));
  },
  '/large': (_request, response) => response.end(Buffer.alloc(20_000_000, 'x')),
  '/events': (request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write('data: 1\n\n');
    sayMore = () => response.write('data: 2\n\n');
    request.on('close', () => response.end());
  },
  // What is longer than one HTTP/2 header list may be.
  '/one-header': (_request, response) => response.setHeader('x-large', 'a'.repeat(500_000)).end('large'),
  '/just-above': (_request, response) => response.setHeader('x-large', '{'.repeat(64_000)).end('large'),
  '/many-headers': (_request, response) => {
    for (let place = 0; place < 4_000; place += 1) response.setHeader(`x-${place}`, 'a'.repeat(20));
    response.end('large');
  },
  '/many-cookies': (_request, response) =>
    response
      .setHeader(
        'set-cookie',
        Array.from({ length: 500 }, (_, place) => `c${place}=${'a'.repeat(200)}`),
      )
      .end('large'),
  '/trailers': (_request, response) => {
    response.writeHead(200, { trailer: 'x-large' });
    response.write('large');
    response.addTrailers({ 'x-large': 'a'.repeat(500_000) });
    response.end();
  },
};
const origin = createServer((request, response) => answers[request.url ?? '']?.(request, response));
origin.on('upgrade', (request, socket) => {
  const accept = acceptOf(String(request.headers['sec-websocket-key']));
  socket.on('error', () => {});
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.pipe(socket);
});
let originPort = 0;
let id = '';
let token = '';
let host = '';
let connector: RunningConnector | undefined;

beforeAll(async () => {
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done));
  originPort = (origin.address() as AddressInfo).port;
});
afterAll(() => {
  origin.closeAllConnections();
  origin.close();
});
const configure = (...ingress: object[]) =>
  provider.send('PUT', `${tunnels}/${id}/configurations`, { config: { ingress } });
const status = async () =>
  ((await provider.send('GET', `${tunnels}/${id}`)).body.result as { status: string }).status;
const is = (wanted: string) => until(`the status ${wanted}`, async () => (await status()) === wanted);
const visitor = () => ({ port: test.edge.visitors.httpPort, host });
const visit = (path: string, more: { method?: string; body?: Buffer } = {}) =>
  ask({ ...visitor(), path, ...more });

beforeEach(async () => {
  const name = `t${randomUUID().slice(0, 8)}`;
  host = `${name}.tunnel.localhost`;
  const { body } = await provider.send('POST', tunnels, { name, config_src: 'cloudflare' });
  ({ id, token } = body.result as { id: string; token: string });
  await configure(
    { hostname: host, service: `http://127.0.0.1:${originPort}` },
    { service: 'http_status:404' },
  );
  await provider.lead(host, id);
});
afterEach(async () => {
  await connector?.kill();
  connector = undefined;
  await until('every connection to be gone', () => test.edge.connectors.registry.size === 0);
});

describe.each(makes)('behind %s', (make, start) => {
  const connect = async (port = test.edge.connectors.port, withToken = token) => {
    connector = await start({ port, ca: test.ca, token: withToken, originPort });
    return connector;
  };

  it('a visitor reaches the panel: bodies both ways, cookies, events, WebSocket', async () => {
    await connect();
    await is('healthy');
    expect(await visit('/plain')).toMatchObject({ status: 200, body: 'plain' });
    expect((await visit('/cookies')).headers['set-cookie']).toEqual(['a=1; Path=/', 'b=2; Path=/']);
    const body = Buffer.alloc(5_000_000, 'y');
    expect((await visit('/length', { method: 'POST', body })).body).toBe('5000000');
    expect((await visit('/large')).body).toHaveLength(20_000_000);
    const events: IncomingMessage = await begin({ port: test.edge.visitors.httpPort, host, path: '/events' });
    const [first] = (await events.take(1).toArray()) as Buffer[];
    expect(String(first)).toBe('data: 1\n\n');
    const { socket, received } = rawSocket(
      test.edge.visitors.httpPort,
      `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    await until('the 101', () => received().includes('s3pPLMBiTxaQ9kYGzzhZRbK+xOo='));
    socket.write('\x81\x85\x00\x00\x00\x00hello', 'latin1');
    await until('the echo', () => received().endsWith('hello'));
    socket.destroy();
  });

  it('the panel sees its version, its four connections and its address', async () => {
    await connect();
    await is('healthy');
    const clients = async () =>
      (await provider.send('GET', `${tunnels}/${id}/connections`)).body.result as {
        version: string;
        config_version: number;
        conns: { origin_ip: string }[];
      }[];
    await until('the configuration’s version', async () => (await clients())[0]?.config_version === 1);
    const [client] = await clients();
    expect(client?.version).not.toBe('');
    expect(client?.conns.map(({ origin_ip }) => origin_ip)).toEqual(Array(4).fill('127.0.0.1'));
  });

  it('it leaves in order when it is stopped, and is missed when it is killed', async () => {
    const leaving = await connect();
    await is('healthy');
    await leaving.stop();
    await is('down');
    const killed = await connect();
    await is('healthy');
    await killed.kill();
    await is('down');
  });

  it('it is cut when its tunnel is deleted', async () => {
    await connect();
    await is('healthy');
    await provider.send('DELETE', `${tunnels}/${id}?cascade=true`);
    await until('no connection', () => test.edge.connectors.registry.of(id).length === 0);
    expect((await visit('/plain')).status).toBe(404);
  });

  // What follows needs what only the real one does: read its configuration, and come back by itself.
  it.runIf(make === 'cloudflared')(
    'it follows a changed configuration without a new connection',
    async () => {
      await connect();
      await is('healthy');
      const ids = test.edge.connectors.registry.of(id).map((one) => one.id);
      await configure({ service: 'http_status:418' });
      await until('the change', async () => (await visit('/plain')).status === 418);
      expect(test.edge.connectors.registry.of(id).map((one) => one.id)).toEqual(ids);
    },
  );

  it.runIf(make === 'cloudflared').each([
    ['one header of 500 kB', '/one-header', 502],
    ['one of 64 kB', '/just-above', 502],
    ['4 000 headers', '/many-headers', 502],
    ['500 cookies', '/many-cookies', 502],
    ['a trailer of 500 kB', '/trailers', 200],
  ])('an answer with %s ends its own stream alone', async (_what, path, status) => {
    await connect();
    await is('healthy');
    const ids = test.edge.connectors.registry.of(id).map((one) => one.id);
    const events = await begin({ ...visitor(), path: '/events' });
    let output = '';
    events.on('data', (piece: Buffer) => {
      output += piece;
    });
    await until('the first event', () => output.includes('data: 1'));
    // Several for each of the four connections, and others' requests beside them.
    const attacks = Array.from({ length: 8 }, () => begin({ ...visitor(), path }));
    const others = Array.from({ length: 16 }, () => visit('/plain'));
    for (const response of await Promise.all(attacks)) {
      expect(response.statusCode).toBe(status);
      // A trailer comes after the head: what it ends is the rest of that answer.
      await read(response).catch(() => {});
    }
    for (const response of await Promise.all(others))
      expect(response).toMatchObject({ status: 200, body: 'plain' });
    sayMore();
    await until('the second event', () => output.includes('data: 2'));
    expect(test.edge.connectors.registry.of(id).map((one) => one.id)).toEqual(ids);
    events.destroy();
  });

  it.runIf(make === 'cloudflared')('it comes back by itself when it was cut off', async () => {
    await connect();
    await is('healthy');
    await provider.send('DELETE', `${tunnels}/${id}/connections`);
    await until('all four again', async () => (await status()) === 'healthy');
    expect((await visit('/plain')).body).toBe('plain');
  });

  it.runIf(make === 'cloudflared')('with a wrong secret it gets that error, and never gets in', async () => {
    const content = JSON.parse(Buffer.from(token, 'base64').toString());
    const wrong = { ...content, s: Buffer.alloc(32, 1).toString('base64') };
    const refused = await connect(undefined, Buffer.from(JSON.stringify(wrong)).toString('base64'));
    await until('its complaint', () => refused.output().includes('Unauthorized'));
    expect(await status()).toBe('inactive');
  });
});
