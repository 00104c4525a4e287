import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { createLog } from '@talpa/service-kit/log';
import { trustProxyOf } from '@talpa/service-kit/trust-proxy';
import { roomy, useGateways } from '@talpa/test-kit/gateway';
import { ask } from '@talpa/test-kit/raw-http';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectionLimitsOf, limitConnections, streamsWithin } from '../../gateway/connections.ts';
import { createHttpServer } from '../../gateway/server.ts';

const test = useStores();
const gateways = useGateways(() => test.stores);

/** A gateway that listens, with room for so many connections. */
async function started(ofAddress: number, inAll: number, trustProxy = '') {
  const app = await gateways.start(roomy, {
    connections: { ofAddress, inAll },
    trustProxy: trustProxyOf(trustProxy),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { app, port };
}

/** Connections that stay open and have sent so much; `left` counts those that are open still. */
async function open(port: number, count: number, sent = '', { reads = true } = {}) {
  const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1' }));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const left = new Set<Socket>(sockets);
  for (const socket of sockets) {
    socket.on('error', () => {});
    if (reads) socket.resume();
    socket.once('close', () => left.delete(socket));
  }
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  if (sent) for (const socket of sockets) socket.write(sent);
  return { sockets, left: () => left.size };
}

const connectionsOf = (app: FastifyInstance) =>
  new Promise<number>((done) => app.server.getConnections((_error, count) => done(count)));
const health = async (port: number, from?: string) =>
  (await ask({ port, host: 'panel', path: '/livez', ...(from ? { from } : {}) })).status;
const signIn = async (port: number) => {
  await gateways.play('auth.login', () => ({ body: '{}', headers: { 'Error-Code': 'invalid_credentials' } }));
  const body = Buffer.from('{"username":"somebody","password":"a wrong one"}');
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  return (await ask({ port, host: 'panel', path: '/api/login', method: 'POST', headers, body })).status;
};

describe('connections of one address', () => {
  it('are as many as ADDRESS_CONNECTION_LIMIT; others get in, and one that closes makes room', async () => {
    const { port } = await started(5, 100);
    const held = await open(port, 5);
    const more = await open(port, 3);
    await until('the refusals', () => more.left() === 0);
    expect(held.left()).toBe(5);
    expect(await health(port, '127.0.0.2')).toBe(200);
    held.sockets[0]?.destroy();
    await until('room again', () =>
      health(port).then(
        (status) => status === 200,
        () => false,
      ),
    );
  });

  it.each(['127.0.0.1', '1'])(
    'are not limited when TRUST_PROXY is %s, and names that proxy',
    async (trusted) => {
      const { port } = await started(5, 100, trusted);
      const held = await open(port, 50);
      expect(await health(port)).toBe(200);
      expect(held.left()).toBe(50);
    },
  );
});

describe('when all connections are taken', () => {
  const head = 'POST /api/login HTTP/1.1\r\nHost: panel\r\nContent-Type: application/json\r\n';
  it.each([
    ['idle', ''],
    ['at rest after a request', 'GET /livez HTTP/1.1\r\nHost: panel\r\n\r\n'],
    ['sending their head', 'GET / HTTP/1.1\r\nHost: pa'],
    ['sending a body with a length', `${head}Content-Length: 50000\r\n\r\n{`],
    ['sending a body in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('by some that are %s, health and sign-in find room, and no more are open', async (_what, sent) => {
    const { app, port } = await started(1_000, 30);
    const held = await open(port, 200, sent);
    await until('the oldest to go', () => held.left() === 30);
    for (let count = 0; count < 5; count += 1) {
      expect(await health(port)).toBe(200);
      expect(await signIn(port)).toBe(401);
    }
    expect(await health(port, '127.0.0.2')).toBe(200);
    expect(await connectionsOf(app)).toBeLessThanOrEqual(30);
  });

  it.each([{}, { expect: '100-continue' }])(
    'a request under way with %o keeps its connection',
    async (more) => {
      const { port } = await started(1_000, 30);
      const answer = Promise.withResolvers<void>();
      await gateways.play('auth.login', async () => {
        await answer.promise;
        return { body: '{}', headers: { 'Error-Code': 'invalid_credentials' } };
      });
      const slow = ask({
        ...{ port, host: 'panel', path: '/api/login', method: 'POST' },
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...more },
        body: Buffer.from('{"username":"somebody","password":"a wrong one"}'),
      });
      const held = await open(port, 100);
      await until('the oldest to go', () => held.left() <= 30);
      answer.resolve();
      expect((await slow).status).toBe(401);
    },
  );

  it('live streams leave a tenth to calls', () => {
    expect(streamsWithin(10_000, { ofAddress: 5, inAll: 30 })).toBe(27);
  });
});

it('a response that its client does not read makes room for the next client', async () => {
  const large = Buffer.alloc(32_000_000);
  const server = createHttpServer(
    ({ url }, response) => void response.end(url === '/large' ? large : 'ok'),
    (serve) => serve,
  );
  limitConnections(server, { ofAddress: 100, inAll: 5 }, false, createLog('test', 'silent'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const arrived = Array.from({ length: 5 }, () => once(server, 'request'));
  const held = await open(port, 5, 'GET /large HTTP/1.1\r\nHost: panel\r\n\r\n', { reads: false });
  await Promise.all(arrived);
  expect((await ask({ port, host: 'panel' })).body).toBe('ok');
  expect(held.left()).toBe(4);
});

it('no more connections are taken than files may be open', () => {
  const settings = { ADDRESS_CONNECTION_LIMIT: 1_000, CONNECTION_LIMIT: 16_000 };
  expect(connectionLimitsOf(settings, 4_096).inAll).toBe(3_584);
  expect(connectionLimitsOf(settings, 1_048_576).inAll).toBe(16_000);
  expect(connectionLimitsOf(settings).inAll).toBeGreaterThan(0);
});
