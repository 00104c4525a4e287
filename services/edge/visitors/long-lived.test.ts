import type { ServerResponse } from 'node:http';
import { edgeErrors } from '@talpa/contracts';
import { ask, rawSocket } from '@talpa/test-kit/raw-http';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { afterEach, beforeEach, expect, it } from 'vitest';

const test = useVisitorSide({
  EDGE_TRUST_PROXY: '127.0.0.1',
  EDGE_CONCURRENT_LIMIT: '4',
  EDGE_LONG_LIVED_LIMIT: '4',
  EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: '20',
});
const sockets: { destroy(): unknown }[] = [];
let held: ServerResponse[] = [];
beforeEach(async () => {
  held = [];
  test.origin = (request, response) => {
    if (request.url === '/held') held.push(response);
    else response.end('ok');
  };
  await test.connect();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const response of held) response.end();
  await until('that nothing runs', () => test.side.running() === 0);
});

/** A request that the proxy in front brings from that address; gives what has come back so far. */
function from(address: string, path: string, fields = '') {
  const { socket, received } = rawSocket(
    test.port,
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${address}\r\n${fields}\r\n`,
  );
  sockets.push(socket);
  return received;
}
const webSocket = (address: string) =>
  from(
    address,
    '/held',
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
  );
const status = (received: () => string) =>
  until('a response', () => /^HTTP\/1.1 (\d+)/.exec(received())?.[1]);
const get = (address: string, language = 'en') =>
  ask({
    port: test.port,
    host,
    headers: { 'x-forwarded-for': address, 'accept-language': language, accept: 'text/html' },
  });

it('WebSockets count neither against ordinary requests nor against other visitors', async () => {
  const [one, other] = ['2001:db8:1:1::1', '203.0.113.1'];
  webSocket(one);
  webSocket('2001:db8:1:1::2');
  await until('both', () => held.length === 2 || test.side.running() === 2);
  expect(await status(webSocket('2001:db8:1:1::3'))).toBe('429');
  expect((await get(one)).status).toBe(200);
  webSocket(other);
  await until('the third', () => test.side.running() === 3);
  expect(await status(webSocket(other))).toBe('429');
});

it('a long poll counts as an ordinary request for ten seconds, and then as a long-lived one', async () => {
  const address = '203.0.113.2';
  for (const _ of [1, 2]) from(address, '/held');
  await until('both', () => held.length === 2);
  expect((await get(address)).status).toBe(429);
  test.side.sweep(performance.now() + 11_000);
  expect((await get(address)).status).toBe(200);
  for (const _ of [1, 2]) from(address, '/held');
  await until('two more', () => held.length === 4);
  test.side.sweep(performance.now() + 11_000);
  expect((await get(address)).status).toBe(429);
  // All places are free again once they have ended.
  for (const response of held.splice(0)) response.end();
  await until('that nothing runs', () => test.side.running() === 0);
  for (const count of [1, 2]) {
    webSocket(address);
    await until('a WebSocket', () => test.side.running() === count);
  }
  expect(await status(webSocket(address))).toBe('429');
});

it('a visitor who sends too many requests gets a page with the time to wait, in their language, and no one else does', async () => {
  const address = '203.0.113.3';
  for (let index = 0; index < 20; index += 1) expect((await get(address)).status).toBe(200);
  for (const language of ['de', 'en'] as const) {
    const refused = await get(address, language);
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(refused.body).toContain(edgeErrors.too_many_requests.title[language]);
  }
  expect((await get('203.0.113.4')).status).toBe(200);
});
