import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { rawSocket } from '@talpa/test-kit/raw-http';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { beforeEach, expect, it } from 'vitest';

const test = useVisitorSide();
const { originServer } = test;
const key = Buffer.alloc(16, 1).toString('base64');
const acceptOf = (text: string) =>
  createHash('sha1').update(`${text}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
let upgraded: Socket[] = [];

beforeEach(async () => {
  upgraded = [];
  await test.connect();
  originServer.removeAllListeners('upgrade');
  originServer.on('upgrade', (request, socket: Socket) => {
    upgraded.push(socket);
    socket.on('error', () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: chat\r\nSec-WebSocket-Accept: ${acceptOf(String(request.headers['sec-websocket-key']))}\r\n\r\n`,
    );
    socket.on('data', (data) => socket.write(`echo ${data}`));
    socket.on('end', () => socket.end());
  });
});

const head = (rest = '') =>
  `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n${rest}`;
const nothingRuns = () => until('that nothing runs', () => test.side.running() === 0);

it('carries raw bytes both ways once the panel agrees, the first ones included', async () => {
  const { socket, received } = rawSocket(test.port, head('early'));
  await until('the echo of what came with the head', () => received().endsWith('\r\n\r\necho early'));
  expect(received()).toContain('HTTP/1.1 101 Switching Protocols\r\n');
  expect(received()).toContain(`Sec-WebSocket-Accept: ${acceptOf(key)}`);
  expect(received()).toContain('Sec-WebSocket-Protocol: chat');
  socket.write('later');
  await until('the echo', () => received().endsWith('echo later'));
  socket.destroy();
  await nothingRuns();
});

it('is refused by the panel with a page of any size, which comes whole', async () => {
  originServer.removeAllListeners('upgrade');
  test.origin = (_request, response) => response.writeHead(403).end('x'.repeat(1_000_000));
  const { received } = rawSocket(test.port, head());
  await until('the page', () => received().match(/x/g)?.length === 1_000_000);
  await nothingRuns();
});

it('ends at the panel when the visitor leaves, and at the visitor when the panel or its connection ends', async () => {
  const leave = rawSocket(test.port, head());
  await until('the WebSocket', () => leave.received().includes('101'));
  const atPanel = once(upgraded[0] as Socket, 'close');
  leave.socket.destroy();
  await atPanel;
  const left = rawSocket(test.port, head());
  await until('the WebSocket', () => left.received().includes('101'));
  const atVisitor = once(left.socket, 'close');
  upgraded[1]?.end();
  await atVisitor;
  const cut = rawSocket(test.port, head());
  await until('the WebSocket', () => cut.received().includes('101'));
  const cutOff = once(cut.socket, 'close');
  test.connections[0]?.socket.destroy();
  await cutOff;
  await nothingRuns();
});

it('is given up when the visitor leaves before the panel has agreed, whatever they have sent', async () => {
  originServer.removeAllListeners('upgrade');
  let asked = 0;
  originServer.on('upgrade', () => {
    asked += 1;
  });
  const visitors = ['', 'early'].map((rest) => rawSocket(test.port, head(rest)));
  await until('the panel to be asked', () => asked === visitors.length);
  for (const { socket } of visitors) socket.destroy();
  await nothingRuns();
});

it('passes a refusal of the panel on as a response', async () => {
  originServer.removeAllListeners('upgrade');
  originServer.on('upgrade', (_request, socket: Socket) =>
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nX-Why: no\r\n\r\nno'),
  );
  const { socket, received } = rawSocket(test.port, head());
  await once(socket, 'close');
  expect(received()).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
  expect(received()).toMatch(/X-Why: no[\s\S]*\r\n\r\nno$/);
  await nothingRuns();
});

it('gets the edge’s pages when nobody is there to speak to', async () => {
  test.connections = [];
  const { socket, received } = rawSocket(test.port, head());
  await once(socket, 'close');
  expect(received()).toMatch(/^HTTP\/1\.1 503 /);
  await nothingRuns();
});

it('is not meant by another upgrade: that request is treated as a plain one', async () => {
  test.origin = (request, response) => response.end(`plain ${request.headers.upgrade}`);
  const sent = request({
    port: test.port,
    host: '127.0.0.1',
    headers: { host, connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AA' },
  });
  sent.end();
  const [response] = await once(sent, 'response');
  const [body] = await once(response, 'data');
  expect(String(body)).toBe('plain undefined');
  sent.destroy();
});

it('of many visitors at once stay apart', async () => {
  const visitors = Array.from({ length: 20 }, () => rawSocket(test.port, head()));
  for (const [index, { socket, received }] of visitors.entries()) {
    await until('the WebSocket', () => received().includes('101'));
    socket.write(`<${index}>`);
  }
  for (const [index, { received }] of visitors.entries())
    await until('its own echo alone', () => received().endsWith(`\r\n\r\necho <${index}>`));
  for (const { socket } of visitors) socket.destroy();
  await nothingRuns();
});
