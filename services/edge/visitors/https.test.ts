import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { request } from 'node:https';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { certificateFiles, testCertificate } from '@talpa/test-kit/certificate';
import { ask } from '@talpa/test-kit/raw-http';
import { responseHead } from '@talpa/test-kit/tunnel-connection';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { afterAll, afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { resetStream } from './reset.ts';

const files = certificateFiles();
const test = useVisitorSide({
  EDGE_HTTPS_PORT: '0',
  EDGE_TLS_CERT: files.certFile,
  EDGE_TLS_KEY: files.keyFile,
  EDGE_TRUST_PROXY: '127.0.0.1',
});
const { originServer } = test;
afterAll(() => rmSync(files.folder, { recursive: true }));
let session: ClientHttp2Session;
beforeEach(async () => {
  test.origin = (_request, response) => response.end('origin');
  await test.connect();
  session = connect(`https://127.0.0.1:${test.httpsPort}`, { ca: testCertificate.cert, servername: host });
  await once(session, 'remoteSettings');
});
afterEach(() => session.destroy());

async function visit(headers: Record<string, string> = {}, body?: string) {
  const stream = session.request({ ':authority': host, ...headers });
  stream.end(body);
  const [head] = await once(stream, 'response');
  const trailers: object[] = [];
  stream.on('trailers', (fields) => trailers.push(fields));
  let text = '';
  for await (const chunk of stream) text += chunk;
  return { head: head as Record<string, string | string[]>, text, trailers };
}

it('carries requests over HTTP/2: body, several Set-Cookie, trailers, the scheme', async () => {
  test.origin = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.writeHead(201, [
      ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Trailer', 'x-sum', 'Connection', 'close'],
      ...[
        'X-Seen',
        `${request.method} ${request.headers['x-forwarded-proto']} ${request.headers.cookie} ${body}`,
      ],
    ]);
    response.write('abc');
    // Joined, its value ends with a space, which no field of HTTP/2 may.
    response.addTrailers([
      ['x-sum', '7'],
      ['x-sum', ''],
    ]);
    response.end();
  };
  const { head, text, trailers } = await visit({ ':method': 'POST', cookie: 'c=1; d=2' }, 'hello');
  expect(head).toMatchObject({
    ':status': 201,
    'set-cookie': ['a=1', 'b=2'],
    'x-seen': 'POST https c=1; d=2 hello',
  });
  expect(head).not.toHaveProperty('connection');
  expect([text, trailers]).toEqual(['abc', [expect.objectContaining({ 'x-sum': '7,' })]]);
});

it.each([204, 205])(
  'passes on over HTTP/2 what an origin should not have sent: %d with a length, fields twice',
  async (status) => {
    const [connection] = test.connections;
    const fields = ['Content-Length', '5', 'Trailer', 'x-a', 'X-Content-Type-Options', 'nosniff'];
    if (connection)
      connection.onStream = (stream) => {
        stream.respond(
          responseHead(status, [...fields, 'X-Content-Type-Options', 'nosniff', 'X-A', 'f\xfcr']),
        );
        stream.end();
      };
    const { head, text } = await visit();
    expect([head[':status'], head['content-length'], text]).toEqual([status, undefined, '']);
    expect([head['x-content-type-options'], head['x-a']]).toEqual(['nosniff', 'f\xfcr']);
  },
);

it('responds to HTTP/2 with the edge’s pages, also before an upload has ended', async () => {
  const { head, text } = await visit({ ':authority': 'unknown.example', accept: 'application/json' });
  expect([head[':status'], JSON.parse(text).code]).toEqual([404, 'unknown_host']);
  test.connections = [];
  const stream = session.request({ ':authority': host, ':method': 'POST' }, { endStream: false });
  const [refused] = await once(stream, 'response');
  expect(refused[':status']).toBe(503);
  stream.resume();
  await once(stream, 'close');
});

it.each(['post', 'XPOST'])('refuses the method %s, which HTTP/1.1 does not know', async (method) => {
  expect((await visit({ ':method': method })).head[':status']).toBe(400);
});

it('resets the HTTP/2 stream of a response that breaks off, and no other', async () => {
  const connection = test.connections[0];
  if (connection)
    connection.onStream = (stream, headers) => {
      stream.respond(responseHead(200, []));
      if (headers[':path'] === '/whole') stream.end('whole');
      else stream.write('half', () => resetStream(stream, constants.NGHTTP2_INTERNAL_ERROR));
    };
  await expect(visit({ ':path': '/half' })).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');
  expect((await visit({ ':path': '/whole' })).text).toBe('whole');
  await until('that nothing runs', () => test.side.running() === 0);
});

it('speaks HTTP/1.1 over TLS to those who do not know HTTP/2', async () => {
  test.origin = (request, response) => response.end(request.headers['x-forwarded-proto']);
  const sent = request({
    port: test.httpsPort,
    host: '127.0.0.1',
    servername: host,
    ca: testCertificate.cert,
    headers: { host },
  });
  sent.end();
  const [response] = await once(sent, 'response');
  const [body] = await once(response, 'data');
  expect([response.httpVersion, String(body)]).toEqual(['1.1', 'https']);
  sent.destroy();
});

it('reads requests over TLS that come while a large response is not read, each whole and in its order', async () => {
  const large = Buffer.alloc(32_000_000, 'l');
  test.origin = (request, response) => {
    if (request.url === '/large') return void response.end(large);
    response.write(`${request.url}:`);
    request.pipe(response);
  };
  const socket = connectTls({
    host: '127.0.0.1',
    port: test.httpsPort,
    ca: testCertificate.cert,
    servername: host,
  });
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(`GET /large HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  let before = 0;
  let looks = 0;
  await until('the large response to wait', () => {
    const { bytesOut } = test.traffic.of('p1');
    looks = bytesOut > 100_000 && bytesOut === before ? looks + 1 : 0;
    before = bytesOut;
    return looks > 10;
  });
  const body = Buffer.alloc(100_000, 'b');
  const head = (path: string) =>
    Buffer.from(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n\r\n`);
  // In one go: a read brings several records.
  socket.write(Buffer.concat([head('/second'), body, head('/third'), body]));
  let received = '';
  socket.resume().on('data', (piece) => {
    received += piece.toString('latin1');
  });
  const responses = () => received.split('HTTP/1.1 200 OK').slice(1);
  await until('the end of the last one', () => responses()[2]?.endsWith('0\r\n\r\n'));
  const count = (text = '', letter: string) => text.split(letter).length - 1;
  const [first, second, third] = responses();
  expect(count(first, 'l')).toBeGreaterThanOrEqual(large.length);
  expect([second, third].map((text) => text?.match(/\/(second|third):/)?.[1])).toEqual(['second', 'third']);
  for (const text of [second, third]) expect(count(text, 'b')).toBeGreaterThanOrEqual(body.length);
});

it('carries a WebSocket over HTTP/2', async () => {
  originServer.on('upgrade', (request, socket: Socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.on('data', (data) => socket.write(`echo ${data}`));
    socket.on('end', () => socket.end());
  });
  const stream = session.request(
    {
      ':method': 'CONNECT',
      ':protocol': 'websocket',
      ':scheme': 'https',
      ':path': '/ws',
      ':authority': host,
    },
    { endStream: false },
  );
  const [head] = await once(stream, 'response');
  expect(head[':status']).toBe(200);
  stream.write('hello');
  const [data] = await once(stream, 'data');
  expect(String(data)).toBe('echo hello');
  stream.close();
  await until('that nothing runs', () => test.side.running() === 0);
});

it('believes a trusted proxy about the visitor’s address and scheme', async () => {
  test.origin = (request, response) =>
    response.end(
      `${request.headers['cf-connecting-ip']} ${request.headers['x-forwarded-for']} ${request.headers['x-forwarded-proto']}`,
    );
  const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9', 'x-forwarded-proto': 'https' };
  const { body } = await ask({ port: test.port, host, headers });
  expect(body).toBe('203.0.113.9 203.0.113.9 https');
});
