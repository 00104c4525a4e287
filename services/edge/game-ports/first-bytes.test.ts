import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { expect, it } from 'vitest';
import { isForWeb, passable } from './first-bytes.ts';

/** The first verdict on bytes that come one at a time. */
function verdictOf(bytes: Buffer): boolean | undefined {
  for (let length = 1; length <= bytes.length; length += 1) {
    const verdict = isForWeb(bytes.subarray(0, length));
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/** What a TLS client of Node sends first. */
async function helloOf(protocols: string[]): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
  const client = connectTls({
    ...{ socket, servername: 'panel.example.test', rejectUnauthorized: false },
    ...(protocols.length > 0 ? { ALPNProtocols: protocols } : {}),
  });
  client.on('error', () => {});
  const [accepted] = (await once(server, 'connection')) as [Socket];
  const [hello] = (await once(accepted, 'data')) as [Buffer];
  accepted.destroy();
  server.close();
  return hello;
}

it('every request is one of a browser, cut anywhere, before its first header', () => {
  for (const method of METHODS)
    for (const target of ['/x?y', '*', 'http://panel.example:25616/x', 'https://a'])
      expect(verdictOf(Buffer.from(`${method} ${target} HTTP/1.1\r\n`)), `${method} ${target}`).toBe(true);
  expect(verdictOf(Buffer.from('CONNECT a:443 HTTP/1.1\r\n'))).toBe(true);
  expect(verdictOf(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))).toBe(true);
});

it('TLS is a browser’s when it offers HTTP, cut anywhere', async () => {
  for (const protocols of [['h2', 'http/1.1'], ['http/1.1'], ['minecraft', 'h2']])
    expect(verdictOf(await helloOf(protocols)), protocols.join()).toBe(true);
  for (const protocols of [[], ['minecraft'], ['xmpp-client', 'stun.turn']])
    expect(verdictOf(await helloOf(protocols)), protocols.join()).toBe(false);
});

const random = randomFrom(34);
/** Without the beginning of `http`, for which one waits. */
const name = () => random.word(1 + random.below(100)).replace(/^h/, 'x');
const bytesOf = (length: number) => Buffer.from(Array.from({ length }, () => random.below(256)));

/** Made anew at each call. */
const protocols: Record<string, () => Buffer> = {
  'a Minecraft handshake': () => {
    const host = Buffer.from(name());
    const body = [0, random.below(128), host.length, ...host, ...bytesOf(2), 1 + random.below(2)];
    return Buffer.from([body.length, ...body]);
  },
  'a packet of RCON': () => {
    const body = Buffer.from(`${name()}\0\0`);
    const head = Buffer.alloc(12);
    head.writeInt32LE(body.length + 8, 0);
    head.writeInt32LE(random.below(2 ** 31), 4);
    head.writeInt32LE(3, 8);
    return Buffer.concat([head, body]);
  },
  'the banner of SSH': () => Buffer.from(`SSH-2.0-${name()}\r\n`),
  'a line of text': () => Buffer.from(`${random.pick(['GET', 'MOVE', 'PRI', 'NICK', 'SAY'])} ${name()}\r\n`),
  'binary data': () => Buffer.concat([Buffer.from([0x80 + random.below(0x80)]), bytesOf(40)]),
};

it.each(Object.entries(protocols))('%s passes, also when it comes a byte at a time', (_what, make) => {
  for (let count = 0; count < 500; count += 1) {
    const bytes = make();
    expect(isForWeb(bytes), bytes.toString('latin1')).toBe(false);
    expect(verdictOf(bytes), bytes.toString('latin1')).toBe(false);
  }
});

it('a word that may yet become a request is waited for, and is no longer once it cannot', () => {
  for (const word of ['G', 'GET', 'GET ', 'M-SEARCH', 'PRI ', 'GET htt'])
    expect(verdictOf(Buffer.from(word)), word).toBeUndefined();
  for (const word of ['Go', 'GET\r', 'GETX', 'get /', 'GET sword', 'GET hat'])
    expect(verdictOf(Buffer.from(word)), word).toBe(false);
});

/** What has passed of a greeting that comes in pieces; null: it was refused before its end. */
function passedOf(greeting: Buffer, pieces: number): string | null {
  let passed = 0;
  for (let at = 0; at < greeting.length; at += pieces) {
    const end = passable(greeting.subarray(0, at + pieces));
    if (end === null) return null;
    passed = end;
  }
  return greeting.toString('latin1', 0, passed);
}

it('a game server’s greeting passes at once, and no response does, whatever stands before it and however it is cut', () => {
  for (let count = 0; count < 500; count += 1) {
    const pieces = 1 + random.below(20);
    // Chromium skips four bytes before a status line, Firefox eleven.
    const response = random.pick([
      'HTTP/1.1 200 OK',
      'HTTP/1.0 302',
      'http/1.1 200',
      'HTTP 200 OK',
      'ICY 200 OK',
    ]);
    const before = bytesOf(random.below(12)).toString('latin1').replace(/[hi]/gi, ' ');
    expect(passedOf(Buffer.from(`${before}${response}\r\n`, 'latin1'), pieces), response).toBeNull();
    const greeting = `${random.pick(['SSH-2.0-', '220 ', 'login: ', '\0\x0f'])}${name().replace(/[hi]/g, 'x')}`;
    expect(passedOf(Buffer.from(greeting, 'latin1'), pieces), greeting).toBe(greeting);
  }
});
