import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { certificateFiles, testCertificate } from '@talpa/test-kit/certificate';
import { beginning, cancelFrame, getFrame } from '@talpa/test-kit/frames';
import { ask, countRequests, rawSocket, requestKinds } from '@talpa/test-kit/raw-http';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { afterAll, afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';

const files = certificateFiles();
const test = useVisitorSide({
  EDGE_HTTPS_PORT: '0',
  EDGE_TLS_CERT: files.certFile,
  EDGE_TLS_KEY: files.keyFile,
  EDGE_VISITOR_CONNECTION_LIMIT: '20',
});
afterAll(() => rmSync(files.folder, { recursive: true }));
beforeEach(async () => {
  test.origin = (_request, response) => void response.end('origin');
  await test.connect();
});
afterEach(() => void vi.useRealTimers());

const secure = () => ({
  ...{ host: '127.0.0.1', port: test.httpsPort, ca: testCertificate.cert, servername: host },
});

/** A visitor with HTTP/2. */
function openSession(settings = {}): ClientHttp2Session {
  const session = connect(`https://127.0.0.1:${test.httpsPort}`, {
    ca: testCertificate.cert,
    servername: host,
    settings,
  });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  return session;
}

const ways = Object.entries(requestKinds).flatMap(([kind, request]) =>
  (['HTTP', 'HTTPS'] as const).map((way) => [kind, way, request] as const),
);

it.each(ways)(
  'a connection of a thousand requests that %s is cut, over %s, and no more than a dozen are read',
  async (_kind, way, request) => {
    const read = countRequests();
    const socket = way === 'HTTP' ? connectTcp(test.port, '127.0.0.1') : connectTls(secure());
    socket.on('error', () => {}).resume();
    socket.write(request(host).repeat(1_000));
    await new Promise((done) => socket.once('close', done));
    expect((await ask({ port: test.port, host })).body).toBe('origin');
    // The origin reads one itself.
    expect(read()).toBeLessThanOrEqual(20);
  },
);

it('a connection that sends the next request early is served, each in its order', async () => {
  const { socket, received } = rawSocket(test.port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(11));
  onTestFinished(() => void socket.destroy());
  await vi.waitUntil(() => received().split('origin').length === 12);
});

it('a request whose body came without a go-ahead, answered before its turn, leaves its connection open', async () => {
  const first = Promise.withResolvers<void>();
  const { requests: before } = test.traffic.of('p1');
  test.origin = async (request, response) => {
    if (request.url === '/first') await first.promise;
    request.resume().once('end', () => response.end(`<${request.url}>`));
  };
  const ask = (text: string) => `POST ${text}Host: ${host}\r\nContent-Length: 1\r\n\r\nx`;
  const expectant = ask('/second HTTP/1.1\r\nExpect: 100-continue\r\n');
  const { socket, received } = rawSocket(test.port, ask('/first HTTP/1.1\r\n') + expectant);
  onTestFinished(() => void socket.destroy());
  await until('the second response', () => test.traffic.of('p1').requests > before);
  first.resolve();
  await until('both responses', () => received().includes('</second>'));
  socket.write(ask('/third HTTP/1.1\r\n'));
  await until('one more', () => received().includes('</third>'));
});

it('of requests over HTTP/2 that an address begins and cancels no more than its budget are looked at', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  let looks = 0;
  test.routesFound = async () => {
    looks += 1;
  };
  onTestFinished(() => {
    clock.mockRestore();
    test.routesFound = undefined;
  });
  const requests = Array.from({ length: 290 }, (_, index) => [
    getFrame(2 * index + 1, host),
    cancelFrame(2 * index + 1),
  ]);
  for (let connection = 0; connection < 9; connection += 1) {
    const from = { ...secure(), ALPNProtocols: ['h2'], localAddress: '127.0.0.77' };
    const socket = connectTls(from as ConnectionOptions);
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {}).write(Buffer.concat([beginning(), ...requests.flat()]));
    // Who owes too much gets no connection.
    await new Promise((done) => socket.once('data', done).once('close', done));
  }
  expect(looks).toBeGreaterThan(290);
  // A budget that was not used for a second is full twice.
  expect(looks).toBeLessThanOrEqual(1_010);
});

it('a connection that pings a thousand times at once is cut', async () => {
  // Time stands still: no budget is restored meanwhile.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const session = openSession();
  await once(session, 'connect');
  let pings = 0;
  const pinged = () => new Promise<Error | null>((done) => session.ping(done));
  while ((await pinged()) === null) pings += 1;
  expect(pings).toBeGreaterThan(290);
  expect(pings).toBeLessThanOrEqual(1_000);
  expect((await ask({ port: test.port, host })).body).toBe('origin');
});

it('a page of the edge that nobody reads is given up after half a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stream = openSession({ initialWindowSize: 0 }).request({ ':authority': 'unknown.example' });
  stream.on('error', () => {});
  await once(stream, 'response');
  vi.advanceTimersByTime(29_000);
  expect(stream.closed).toBe(false);
  const closed = new Promise((resolve) => stream.once('close', resolve));
  vi.advanceTimersByTime(1_000);
  await closed;
  expect(stream.rstCode).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
});

it('one address has no more connections than EDGE_VISITOR_CONNECTION_LIMIT, and gets one again for each it closes', async () => {
  const open = () => {
    const socket = connectTcp(test.port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const first = Array.from({ length: 20 }, open);
  await Promise.all(first.map((socket) => once(socket, 'connect')));
  await once(open(), 'close');
  const others = await ask({ port: test.port, host, from: '127.0.0.2' });
  expect(others.body).toBe('origin');
  first[0]?.destroy();
  await vi.waitFor(async () => expect((await ask({ port: test.port, host })).body).toBe('origin'));
});

// The last one: this address gets no more pages after it.
it('an address that asks for unknown hosts or is refused 600 times a minute is cut, and still reaches panels', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  onTestFinished(() => agent.destroy());
  const visit = () =>
    new Promise<number>((resolve) => {
      httpRequest({ port: test.port, host: '127.0.0.1', headers: { host: 'unknown.example' }, agent })
        .on('response', (response) => response.resume().on('close', () => resolve(response.statusCode ?? 0)))
        .on('error', () => resolve(0))
        .end();
    });
  const statuses = await Promise.all(Array.from({ length: 700 }, visit));
  expect(statuses.filter((status) => status === 404).length).toBeGreaterThan(590);
  expect(statuses).toContain(0);
  const session = openSession();
  const closed = new Promise((resolve) => session.once('close', resolve));
  // More than the pages that a slow machine gives back meanwhile, ten a second.
  for (let count = 0; count < 150; count += 1)
    session.request({ ':authority': 'unknown.example' }).on('error', () => {});
  await closed;
  expect((await ask({ port: test.port, host })).body).toBe('origin');
  const others = await ask({ port: test.port, host: 'unknown.example', from: '127.0.0.2' });
  expect(others.status).toBe(404);
});
