import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect as connectHttp2, createSecureServer, type ServerHttp2Session } from 'node:http2';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { certificateFiles, testCertificate } from '@talpa/test-kit/certificate';
import { beginning, cancelFrame, getFrame } from '@talpa/test-kit/frames';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { cutIfDead, keepSocket } from './reset.ts';

const files = certificateFiles();
const test = useVisitorSide({
  EDGE_HTTPS_PORT: '0',
  EDGE_TLS_CERT: files.certFile,
  EDGE_TLS_KEY: files.keyFile,
});
afterAll(() => rmSync(files.folder, { recursive: true }));

/** How many requests the origin has. */
let arrived = 0;
const piece = Buffer.alloc(65_536);
beforeEach(async () => {
  arrived = 0;
  test.routesFound = undefined;
  test.origin = (request, response) => {
    arrived += 1;
    if (request.url === '/wait') return;
    const more = () => {
      while (response.write(piece));
    };
    response.on('drain', more);
    more();
  };
  await test.connect();
});

interface Visitor {
  /** What asks for `/`. */
  readonly request: Buffer;
  open(): Socket;
}
const tls = (ALPNProtocols: string[]) => () =>
  connectTls({
    host: '127.0.0.1',
    port: test.httpsPort,
    ca: testCertificate.cert,
    servername: host,
    ALPNProtocols,
  });
const plain = Buffer.from(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
const visitors: Readonly<Record<string, Visitor>> = {
  'HTTP/1.1': { request: plain, open: () => connectTcp(test.port, '127.0.0.1') },
  'HTTP/1.1 over TLS': { request: plain, open: tls(['http/1.1']) },
  'HTTP/2': { request: Buffer.concat([beginning(), getFrame(1, host)]), open: tls(['h2']) },
};
const bytesOut = () => test.traffic.of('p1').bytesOut;
const openSockets = () => {
  const { http = 0, https = 0 } = test.side.sockets();
  return http + https;
};
/** Before a minute is over: then whatever nobody reads is cut. */
const nothingIsLeft = () =>
  until('nothing to be left of them', () => test.side.running() + openSockets() === 0, 45_000);

describe.each(Object.entries(visitors))('of visitors over %s nothing is left who leave', (_way, visitor) => {
  const come = () => {
    const socket = visitor.open();
    socket.on('error', () => {});
    socket.write(visitor.request);
    return socket;
  };
  const count = 10;
  const comeTogether = (as: (socket: Socket) => void) =>
    Array.from({ length: count }, () => {
      const socket = come();
      as(socket);
      return socket;
    });

  it('before their route is found', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let looks = 0;
    test.routesFound = () => {
      looks += 1;
      return promise;
    };
    const sockets = comeTogether((socket) => socket.resume());
    await until('them to wait', () => looks === count);
    for (const socket of sockets) socket.destroy();
    await until('them to be gone', () => openSockets() === 0);
    resolve();
    await nothingIsLeft();
    expect(arrived).toBe(0);
  });

  it('while they read a download', async () => {
    const sockets = comeTogether((socket) => socket.resume());
    await until('their downloads', () => arrived === count);
    await until('some of them', () => bytesOut() > count * piece.length);
    for (const socket of sockets) socket.destroy();
    await nothingIsLeft();
  });

  it('when all waits for them to read', async () => {
    const sockets = comeTogether((socket) => socket.pause());
    await until('their downloads', () => arrived === count);
    let [looks, before] = [0, 0];
    await until('them to stand still', () => {
      looks = bytesOut() === before ? looks + 1 : 0;
      before = bytesOut();
      return looks > 10;
    });
    for (const socket of sockets) socket.destroy();
    await nothingIsLeft();
  });
});

it('a request over HTTP/2 that is cancelled in the packet that it came in leaves nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let looks = 0;
  test.routesFound = () => {
    looks += 1;
    return promise;
  };
  const socket = visitors['HTTP/2']?.open();
  socket?.on('error', () => {}).resume();
  const requests = Array.from({ length: 50 }, (_, index) => [
    getFrame(2 * index + 1, host),
    cancelFrame(2 * index + 1),
  ]);
  socket?.write(Buffer.concat([beginning(), ...requests.flat(), getFrame(101, host)]));
  await until('them to have come', () => looks === 51);
  resolve();
  await until('the one that stays', () => arrived > 0);
  await until('no other to run', () => test.side.running() === 1);
  socket?.destroy();
  await nothingIsLeft();
  expect(arrived).toBe(1);
});

it('a visitor over HTTP/2 who lets nothing come, but is there, stays', async () => {
  const server = createSecureServer({ cert: testCertificate.cert, key: testCertificate.key });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connectHttp2(`https://127.0.0.1:${port}`, {
    ...{ ca: testCertificate.cert, servername: host, settings: { initialWindowSize: 0 } },
  });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const [session] = (await once(server, 'session')) as [ServerHttp2Session];
  keepSocket(session);
  for (let look = 0; look < 3; look += 1) {
    const pinged = once(client, 'ping');
    cutIfDead(session, 20_000 * look);
    await pinged;
  }
  expect(session.destroyed).toBe(false);
});
