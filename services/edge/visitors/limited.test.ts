import type { ServerResponse } from 'node:http';
import { ask, rawSocket } from '@talpa/test-kit/raw-http';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { beforeEach, expect, it } from 'vitest';

const test = useVisitorSide({ EDGE_TRUST_PROXY: '127.0.0.1', EDGE_CONCURRENT_LIMIT: '5' });
beforeEach(async () => {
  await test.connect();
});

it('responds with 429 to a visitor who tries too many passwords, and lets all others sign in', async () => {
  let reached = 0;
  test.origin = (request, response) => {
    reached += 1;
    request.resume();
    response.end('{"error":"Wrong password!"}');
  };
  const signIn = (address: string) =>
    ask({
      port: test.port,
      host,
      method: 'POST',
      path: '/auth/password?uiVersion=8.0.0',
      headers: { 'x-forwarded-for': address, accept: 'application/json' },
      body: '{}',
    });
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1) statuses.push((await signIn('203.0.113.7')).status);
  expect(statuses).toEqual([...Array(8).fill(200), ...Array(4).fill(429)]);
  expect(reached).toBe(8);
  const refused = await signIn('203.0.113.7');
  expect(JSON.parse(refused.body)).toMatchObject({ code: 'too_many_requests' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
  expect((await signIn('203.0.113.8')).status).toBe(200);
});

it('no longer counts a request that has ended, whichever way', async () => {
  test.origin = (request, response) => {
    if (request.url === '/abort') request.socket.destroy();
    else response.end('ok');
  };
  for (let index = 0; index < 12; index += 1) {
    await ask({ port: test.port, host, path: index % 2 ? '/abort' : '/' });
    expect((await ask({ port: test.port, host })).status).toBe(200);
  }
});

it('a visitor who leaves frees their own place and no other', async () => {
  const waiting = new Set<ServerResponse>();
  test.origin = (_request, response) => {
    waiting.add(response);
    response.once('close', () => waiting.delete(response));
  };
  let number = 0;
  /** A request of a new address that the panel does not respond to. */
  const wait = async () => {
    number += 1;
    const count = waiting.size + 1;
    const head = `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 203.0.113.${number}\r\n\r\n`;
    const { socket } = rawSocket(test.port, head);
    await until('the request at the panel', () => waiting.size === count);
    return socket;
  };
  const sockets = [await wait(), await wait(), await wait()];
  for (let count = 0; count < 4; count += 1) {
    (await wait()).destroy();
    await until('the visitor to have left', () => waiting.size === 3 && test.side.running() === 3);
  }
  sockets.push(await wait(), await wait());
  const headers = { 'x-forwarded-for': '203.0.113.200' };
  expect((await ask({ port: test.port, host, headers })).status).toBe(429);
  for (const socket of sockets) socket.destroy();
  await until('that nothing runs', () => test.side.running() === 0);
  for (const response of waiting) response.destroy();
});
