import type { Duplex } from 'node:stream';
import { processorTime } from '@talpa/test-kit/processor-time';
import { ask, rawSocket } from '@talpa/test-kit/raw-http';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { beforeEach, expect, it } from 'vitest';
import { scopeCookiesToHost } from './cookies.ts';
import { withoutWallCookies } from './wall/cookies.ts';

const test = useVisitorSide();
const { originServer } = test;
beforeEach(async () => {
  await test.connect();
});

const scopedToHost = (cookie: string) => {
  // What only looks like one: another name, and one that is as long.
  const others = ['X-A', 'a; Domain=tunnel.localhost', 'Set-Kookie', 'a; Domain=tunnel.localhost'];
  const fields = [...others, 'sEt-cookie', cookie];
  scopeCookiesToHost(fields, host);
  expect(fields.slice(0, 5)).toEqual([...others, 'sEt-cookie']);
  return fields[5];
};

it.each([
  'Domain=tunnel.localhost',
  'Domain=.tunnel.localhost',
  'domain = localhost',
  '\tDOMAIN=Tunnel.Localhost\t',
  'Domain=other.tunnel.localhost',
  'Domain="tunnel.localhost"',
  'Domain=',
  'Domain',
])('keeps a cookie to the host that sets it: %s', (attribute) => {
  expect(scopedToHost(`a=1; Path=/;${attribute}; Secure`)).toBe('a=1; Path=/; Secure');
  expect(scopedToHost(`a=1; Domain=${host};${attribute}`)).toBe(`a=1; Domain=${host}`);
});

it.each([
  'a=1; Path=/; HttpOnly',
  'Domain=tunnel.localhost; Path=/',
  `a=1; Domain=${host}`,
  `a=1; domain=.${host.toUpperCase()}`,
  'a=domain; Path=/domain=x',
])('changes no other cookie: %s', (cookie) => {
  expect(scopedToHost(cookie)).toBe(cookie);
});

it.each([
  ...[
    'talpa-access=x',
    ' talpa-access =x',
    '\ttalpa-access=x',
    'TALPA-ACCESS=x',
    'talpa-access',
    'talpa-access-state=x',
  ],
  ...[
    '__Host-talpa-access=x',
    '__host-Talpa-Access-email=x',
    '=talpa-access=x',
    ' = talpa-access=x',
    '==talpa-access=x',
  ],
  ...['=__Host-talpa-access=x', '\t=\t=talpa-access-email', '=talpa-access'],
])('lets no panel set a cookie that the wall would take for its own: “%s”', (pair) => {
  for (const cookie of [pair, `${pair}; Path=/`, `${pair};Domain=localhost`]) {
    const fields = ['X-A', '1', 'Set-Cookie', cookie, 'X-B', '2'];
    scopeCookiesToHost(fields, host);
    expect(fields).toEqual(['X-A', '1', 'X-B', '2']);
  }
  expect(withoutWallCookies(`a=1; ${pair}; b=2`)).toBe('a=1; b=2');
});

it('judges each of several cookies as it would alone, in whatever order they come', () => {
  const pairs = [
    ['Set-Cookie', 'a=1; Path=/'],
    ['Set-Cookie', 'b=2; Domain=tunnel.localhost'],
    ['Set-Cookie', 'talpa-access=x'],
    ['X-A', '1'],
  ] as const;
  const alone = (pair: readonly string[]) => {
    const fields = [...pair];
    scopeCookiesToHost(fields, host);
    return fields;
  };
  for (const first of pairs)
    for (const second of pairs)
      for (const third of pairs) {
        const fields = [...first, ...second, ...third];
        scopeCookiesToHost(fields, host);
        expect(fields).toEqual([first, second, third].flatMap(alone));
      }
});

it.each([
  '=a=talpa-access',
  'talpa-access-x=1',
  'x-talpa-access=1',
  '"talpa-access"=1',
  'a=talpa-access=1',
  '=',
])('leaves a cookie whose name is another one: “%s”', (pair) => {
  expect(scopedToHost(pair)).toBe(pair);
  expect(withoutWallCookies(`${pair}; b=2`)).toBe(`${pair}; b=2`);
});

it('takes milliseconds for the largest cookie, whatever white space is in it', async () => {
  const cookie = `a=1; Domain=x${' '.repeat(50_000)}y`;
  const work = () => expect(scopedToHost(cookie)).toBe('a=1');
  expect(await processorTime(work)).toBeLessThan(200);
});

it('lets no panel set a cookie for the panels of others, in a WebSocket’s response neither', async () => {
  test.origin = (_request, response) => {
    response.setHeader('set-cookie', ['a=1; Domain=tunnel.localhost', 'b=2; Domain=localhost; Path=/']);
    response.end();
  };
  const { headers } = await ask({ port: test.port, host });
  expect(headers['set-cookie']).toEqual(['a=1', 'b=2; Path=/']);
  const onUpgrade = (_request: unknown, socket: Duplex) =>
    socket.end(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\nSet-Cookie: a=1; Domain=tunnel.localhost\r\n\r\n',
    );
  originServer.once('upgrade', onUpgrade);
  const { socket, received } = rawSocket(
    test.port,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n\r\n`,
  );
  await until('the response', () => received().includes('\r\n\r\n'));
  expect(received()).toMatch(/^HTTP\/1\.1 101 [\s\S]*Set-Cookie: a=1\r\n/);
  socket.destroy();
});
