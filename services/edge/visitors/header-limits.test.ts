import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { headFrames } from '@talpa/test-kit/frames';
import { ask, rawSocket } from '@talpa/test-kit/raw-http';
import { serialize } from '@talpa/test-kit/tunnel-connection';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { beforeEach, expect, it } from 'vitest';

const test = useVisitorSide();
beforeEach(async () => {
  test.origin = (_request, response) => response.end('origin');
  await test.connect();
  // The first head says that HPACK's table is empty; with a real connector that is the control stream's.
  await visit();
});

const json = { accept: 'application/json' };
const visit = (path = '/', headers: Record<string, string> = json) =>
  ask({ port: test.port, host, path, headers });
const first = () => {
  const [connection] = test.connections;
  if (!connection) throw new Error('there is no connection');
  return connection;
};

/** Has the connector respond with a head of so many bytes; other requests go to the origin. */
function respondLarge(bytes: number) {
  const connection = first();
  const serve = connection.onStream;
  connection.onStream = (stream, headers) => {
    if (headers[':path'] !== '/large') return serve(stream, headers);
    // Node would not send it.
    connection.socket.write(headFrames(stream.id ?? 0, serialize(['Location', '~'.repeat(bytes)])));
  };
}

it.each([61_000, 70_000, 900_000, 8_000_000])(
  'a response’s head of %d bytes is one 502; the connection and all else on it go on',
  async (bytes) => {
    const waiting: ServerResponse[] = [];
    test.origin = (request, response) => {
      if (request.url === '/wait') waiting.push(response);
      else response.end('origin');
    };
    const other = visit('/wait');
    await until('the other request at the panel', () => waiting.length === 1);
    respondLarge(bytes);
    for (let count = 0; count < 5; count += 1) {
      const response = await visit('/large');
      expect([response.status, JSON.parse(response.body).code]).toEqual([502, 'response_head_too_large']);
      expect((await visit()).body).toBe('origin');
    }
    expect(first().edge.destroyed || first().edge.closed).toBe(false);
    waiting[0]?.end('finished');
    expect((await other).body).toBe('finished');
    await until('that nothing runs', () => test.side.running() === 0);
  },
);

it('a response’s head of so many short headers that HTTP/2 would not send it is one 502, too', async () => {
  const raw = Array.from({ length: 1_600 }, (_, at) => [`x-${1_000 + at}`, '']).flat();
  const connection = first();
  connection.onStream = (stream) => connection.socket.write(headFrames(stream.id ?? 0, serialize(raw)));
  const response = await visit('/');
  expect([response.status, JSON.parse(response.body).code]).toEqual([502, 'response_head_too_large']);
});

it('passes on a response’s head of 40 kB', async () => {
  respondLarge(40_000);
  const { socket, received } = rawSocket(test.port, `GET /large HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await until('the whole head', () => received().includes('\r\n\r\n'));
  expect(received()).toMatch(/^HTTP\/1\.1 200 [\s\S]*Location: ~{40000}\r\n/);
  socket.destroy();
});

it('a visitor’s head above 16 kB gets 431 and a page, and never reaches the panel', async () => {
  let reached = 0;
  test.origin = (_request, response) => {
    reached += 1;
    response.end('origin');
  };
  const byPath = await visit(`/?${'{'.repeat(16_400)}`);
  expect([byPath.status, JSON.parse(byPath.body).code]).toEqual([431, 'request_head_too_large']);
  const byCookie = await visit('/', { cookie: 'a'.repeat(16_400), 'accept-language': 'en' });
  expect([byCookie.status, byCookie.headers['content-type']]).toEqual([431, 'text/html; charset=utf-8']);
  expect(byCookie.body).toContain('The request headers are too large');
  expect(reached).toBe(0);
  expect((await visit(`/?${'{'.repeat(15_000)}`)).body).toBe('origin');
});

it('a visitor’s head that is not even read gets the page too', async () => {
  const { socket, received } = rawSocket(
    test.port,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: ${'a'.repeat(60_000)}\r\n\r\n`,
  );
  await once(socket, 'close');
  expect(received()).toMatch(/^HTTP\/1\.1 431 [\s\S]*request_head_too_large[\s\S]*<\/html>/);
});

it('a page that is only read is asked for again when its connection is lost, once, and a change never', async () => {
  const methods: string[] = [];
  const waiting: ServerResponse[] = [];
  test.origin = (request, response) => {
    methods.push(`${request.method}`);
    waiting.push(response);
  };
  const doomed = first();
  const read = visit();
  const change = ask({ port: test.port, host, method: 'POST', headers: json, body: 'x' });
  await until('both at the panel', () => methods.length === 2);
  await test.connect();
  doomed.socket.destroy();
  expect((await change).status).toBe(502);
  await until('the second time', () => methods.length === 3);
  waiting[2]?.end('read');
  expect((await read).body).toBe('read');
  expect(methods.sort()).toEqual(['GET', 'GET', 'POST']);
});
