import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { certificateFiles, testCertificate } from '@talpa/test-kit/certificate';
import { frame } from '@talpa/test-kit/frames';
import { ask } from '@talpa/test-kit/raw-http';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Budget } from '../frame-budget.ts';
import { countedMessages } from './floods.ts';

const files = certificateFiles();
const test = useVisitorSide({
  EDGE_HTTPS_PORT: '0',
  EDGE_TLS_CERT: files.certFile,
  EDGE_TLS_KEY: files.keyFile,
});
afterAll(() => rmSync(files.folder, { recursive: true }));
beforeEach(async () => {
  test.origin = (request, response) => {
    request.resume();
    response.end('origin');
  };
  await test.connect();
});

describe('chunks of one byte', () => {
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  const chunks = (count: number) =>
    Array.from({ length: count }, (_, index) => `1\r\n${index % 10}\r\n`).join('');

  /** A server that counts, with a budget of so many pieces; how many pieces and bytes its request has given. */
  async function serve(pieces: Budget, sent: string, respondsFirst = false) {
    const unused = new Budget(1, 1);
    const seen = { pieces: 0, body: '', isWhole: false, socket: undefined as Socket | undefined };
    const server = createServer({
      IncomingMessage: countedMessages(() => ({ pieces, begun: unused, overhead: unused, isShared: false })),
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      seen.socket = request.socket;
      if (respondsFirst) return void response.end();
      request.on('error', () => {});
      request.on('end', () => {
        seen.isWhole = request.complete;
      });
      request.on('data', (piece: Buffer) => {
        seen.pieces += 1;
        seen.body += piece.toString();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connectTcp((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {}).write(head + sent);
    onTestFinished(() => {
      socket.destroy();
      server.close();
    });
    return { seen, socket };
  }

  it('are passed on joined, in their order, with what else comes in their turn', async () => {
    const large = `${(2_000).toString(16)}\r\n${'L'.repeat(2_000)}\r\n`;
    const { seen } = await serve(new Budget(1e9, 1e9), `${chunks(9_995)}${large}${chunks(5)}0\r\n\r\n`);
    await until('the whole body', () => seen.isWhole);
    expect(seen.body).toBe(`${'0123456789'.repeat(1_000).slice(0, 9_995)}${'L'.repeat(2_000)}01234`);
    expect(seen.pieces).toBeLessThan(100);
  });

  it('above the budget are left where they are, and lose nothing when it is restored', async () => {
    let time = 0;
    const { seen } = await serve(new Budget(100_000, 1_000, () => time), `${chunks(100_000)}0\r\n\r\n`);
    await until('the visitor is held back', () => seen.socket?.isPaused() ?? false);
    // What has been read at once: 64 kB.
    expect(seen.body.length).toBeLessThan(12_000);
    const clock = setInterval(() => {
      time += 1_000;
    }, 1);
    onTestFinished(() => clearInterval(clock));
    await until('the whole body', () => seen.isWhole);
    expect(seen.body.length).toBe(100_000);
  });

  it('after a response that did not wait for them are held back, too', async () => {
    const { seen } = await serve(new Budget(100_000, 1_000, () => 0), chunks(200_000), true);
    await until('the visitor is held back', () => seen.socket?.isPaused() ?? false);
    expect(seen.socket?.bytesRead).toBeLessThan(300_000);
  });

  it('that an address owes let it begin no further connection, and others do', async () => {
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
    onTestFinished(() => clock.mockRestore());
    const from = '127.0.1.9';
    const socket = connectTcp({ port: test.port, host: '127.0.0.1', localAddress: from });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {}).write(`${head.replace('Host: a', `Host: ${host}`)}${chunks(200_000)}`);
    const isServed = async (address: string) =>
      (await ask({ port: test.port, host, from: address }).catch(() => null))?.body === 'origin';
    await until('its connections to be refused', async () => !(await isServed(from)));
    expect(await isServed('127.0.1.10')).toBe(true);
    clock.mockReturnValue(now + 60_000);
    expect(await isServed(from)).toBe(true);
  });

  it('end the connection of an address that owes too much', async () => {
    const { seen, socket } = await serve(new Budget(100, 100, () => 0), chunks(100_000));
    await new Promise((closed) => socket.once('close', closed));
    expect(seen.body.length).toBeLessThan(12_000);
  });
});

describe('a connection of HTTP/2 is cut when it sends too much of', () => {
  const [data, reset, settingsType, windowUpdate] = [0, 3, 4, 8];
  const empty = Buffer.alloc(0);
  const text = (value: string) => Buffer.from([value.length, ...Buffer.from(value)]);
  const field = (name: string, value: string) => Buffer.concat([Buffer.from([0]), text(name), text(value)]);
  const upload = frame(
    ...([1, 4, 1] as const),
    Buffer.concat([
      ...[field(':method', 'POST'), field(':scheme', 'https')],
      ...[field(':authority', host), field(':path', '/')],
    ]),
  );
  const one = Buffer.from([0, 0, 0, 1]);
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

  it.each<[string, Buffer, Buffer, string]>([
    ['DATA of one byte', upload, frame(data, 0, 1, Buffer.from('x')), '127.0.1.1'],
    ['DATA without a byte', upload, frame(data, 0, 1, empty), '127.0.1.2'],
    [
      'DATA for a stream that it has ended',
      Buffer.concat([upload, frame(reset, 0, 1, one)]),
      frame(data, 0, 1, Buffer.from('x')),
      '127.0.1.3',
    ],
    ['WINDOW_UPDATE', empty, frame(windowUpdate, 0, 0, one), '127.0.1.4'],
    ['WINDOW_UPDATE of a stream', upload, frame(windowUpdate, 0, 1, one), '127.0.1.5'],
    ['SETTINGS', empty, frame(settingsType, 0, 0, empty), '127.0.1.6'],
  ])('%s', async (_what, first, flood, localAddress) => {
    // Time stands still: no budget is restored meanwhile.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    onTestFinished(() => clock.mockRestore());
    const socket = connectTls({
      ...{ port: test.httpsPort, host: '127.0.0.1', servername: host, ALPNProtocols: ['h2'] },
      ...{ ca: testCertificate.cert, localAddress },
    });
    onTestFinished(() => void socket.destroy());
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    await once(socket, 'secureConnect');
    socket.write(Buffer.concat([preface, frame(settingsType, 0, 0, empty), first]));
    const some = Buffer.concat(Array.from({ length: 500 }, () => flood));
    let sent = 0;
    const send = () => {
      if (!socket.writable) return;
      sent += 500;
      // What is acknowledged is sent again only then: nothing piles up that Node itself would notice.
      if (flood[3] === settingsType) socket.write(some);
      else socket.write(some, () => setImmediate(send));
    };
    let received = 0;
    socket.on('data', (bytes: Buffer) => {
      received += bytes.length;
      if (flood[3] === settingsType && received >= sent * flood.length) send();
    });
    send();
    await closed;
    // How many of the others fit between two looks is up to the machine.
    if (flood[3] === settingsType) expect(sent).toBeLessThan(2_000);
    expect((await ask({ port: test.port, host, from: localAddress })).body).toBe('origin');
  });
});
