import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { AccessPolicy, AccessRule } from '@talpa/contracts';
import { ask, begin, rawSocket } from '@talpa/test-kit/raw-http';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGates } from './gates.ts';

const test = useVisitorSide({ EDGE_TRUST_PROXY: '127.0.0.9' });
const { originServer } = test;
const gateOf = createGates();
const setPolicy = (policy: AccessPolicy | object) => {
  test.gate = gateOf({
    ...{ proxyId: '00000000-0000-4000-8000-000000000000', policy: JSON.stringify(policy) },
    ...{ version: 1, pinHash: null, passwordHash: null },
  });
};
const rules = (otherwise: 'allow' | 'deny', ...list: [AccessRule['action'], string][]) =>
  setPolicy({
    ...{ kind: 'rules', otherwise },
    rules: list.map(([action, network]) => ({ action, match: { by: 'address', network }, expiresAt: null })),
  });
let asked = 0;
beforeEach(async () => {
  asked = 0;
  test.origin = (_request, response) => {
    asked += 1;
    response.end('the panel behind');
  };
  await test.connect();
});
afterEach(() => {
  test.gate = undefined;
  originServer.removeAllListeners('upgrade');
});
/** Resolves however it ends. */
const closed = (stream: Readable) => new Promise((done) => stream.once('close', done));
const visit = (more: object = {}) => ask({ port: test.port, host, ...more });

it('a visitor whom the policy does not let in gets a page with their address, and the panel behind nothing', async () => {
  rules('deny');
  const refused = await visit({ headers: { accept: 'text/html' } });
  expect(refused).toMatchObject({ status: 403, headers: { 'x-edge-error': 'access_denied' } });
  expect(refused.body).toContain('127.0.0.1');
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'])
    expect((await visit({ method })).status).toBe(403);
  expect(asked).toBe(0);
  rules('deny', ['allow', '127.0.0.0/8']);
  expect(await visit()).toMatchObject({ status: 200, body: 'the panel behind' });
});

it('a policy that the edge does not know lets nobody in', async () => {
  setPolicy({ kind: 'of a later version' });
  expect((await visit()).status).toBe(403);
  expect(asked).toBe(0);
});

it('while the database does not respond a visitor who may have passed gets 503, and the panel behind nothing', async () => {
  setPolicy({ kind: 'wall', methods: ['pin'], require: 'any', rules: [], days: 1 });
  const visited = await visit({ headers: { cookie: `talpa-access=${'A'.repeat(43)}` } });
  expect(visited).toMatchObject({ status: 503, headers: { 'x-edge-error': 'route_unavailable' } });
  expect(asked).toBe(0);
});

it('behind a load balancer rules are about the address that it names, and about no other that is named', async () => {
  rules('deny', ['allow', '192.0.2.0/24']);
  const named = { 'x-forwarded-for': '192.0.2.7' };
  expect((await visit({ from: '127.0.0.9', headers: named })).status).toBe(200);
  // What a visitor writes in front of it says nothing.
  const forged = { 'x-forwarded-for': '192.0.2.7, 203.0.113.5' };
  expect((await visit({ from: '127.0.0.9', headers: forged })).status).toBe(403);
  expect((await visit({ headers: named })).status).toBe(403);
  for (const name of ['cf-connecting-ip', 'x-real-ip', 'true-client-ip', 'forwarded'])
    expect((await visit({ headers: { [name]: '192.0.2.7' } })).status).toBe(403);
});

it('what a visitor has open ends when the policy does not let them in any more, and nothing else', async () => {
  originServer.on('upgrade', (request, socket: Socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.on('error', () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  });
  test.origin = (_request, response) => void response.write('the beginning');
  const openBy = async (from: string) => {
    const download = await begin({ port: test.port, host, from });
    download.on('error', () => {});
    await once(download, 'data');
    return download;
  };
  const webSocket = rawSocket(
    test.port,
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  await until('the WebSocket', () => webSocket.received().includes('101'));
  const [ended, stays] = [await openBy('127.0.0.1'), await openBy('127.0.0.2')];
  rules('allow', ['deny', '127.0.0.1']);
  const ends = [closed(webSocket.socket), closed(ended)];
  await test.side.recheck(new Set(['other.localhost']));
  expect(test.side.running()).toBe(3);
  await test.side.recheck(new Set([host]));
  await Promise.all(ends);
  expect(ended.complete).toBe(false);
  await until('that one runs', () => test.side.running() === 1);
  stays.destroy();
});

it('what a visitor has open ends with the rule that let them in', async () => {
  test.origin = (_request, response) => void response.write('the beginning');
  const expiresAt = new Date(Date.now() + 600).toISOString();
  const match = { by: 'address', network: '127.0.0.1' };
  setPolicy({ kind: 'rules', otherwise: 'deny', rules: [{ action: 'allow', match, expiresAt }] });
  const download = await begin({ port: test.port, host });
  download.on('error', () => {});
  await closed(download);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
});
