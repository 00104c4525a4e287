import { createHash, randomBytes } from 'node:crypto';
import { rawSocket } from '@talpa/test-kit/raw-http';
import { until } from '@talpa/test-kit/wait';
import { pin, useWall } from '@talpa/test-kit/wall';
import { expect, it } from 'vitest';

const test = useWall();
const { origin } = test;

it('a program with a service token passes the wall of its proxy alone, by WebSocket too, until it is revoked', async () => {
  const [a, b] = [await test.newProxy(), await test.newProxy()];
  const token = await a.newToken();
  const headers = { 'talpa-service-token': token };
  // Whatever was cached.
  for (let round = 0; round < 3; round += 1) {
    expect(await a.visit({ method: 'POST', headers })).toMatchObject({ body: 'the panel behind' });
    expect((await b.visit({ headers })).status).toBe(401);
  }
  expect(test.seen.at(-1)?.headers).not.toHaveProperty('talpa-service-token');
  const answers = async (name: string, value: string | string[]) =>
    (await a.visit({ headers: { [name]: value } })).status;
  expect(await answers('authorization', `Bearer ${token}`)).toBe(401);
  expect(await answers('talpa-service-token', [token, token])).toBe(401);
  expect(await answers('cookie', `talpa-access=${token}; talpa-service-token=${token}`)).toBe(401);
  expect((await a.visit({ path: `/?talpa-service-token=${token}` })).status).toBe(401);
  // An open proxy keeps it from its panel, too.
  await a.set({
    methods: ['pin'],
    rules: [{ action: 'allow', match: { by: 'path', path: '/' }, expiresAt: null }],
  });
  await a.visit({ headers });
  expect(test.seen.at(-1)?.headers).not.toHaveProperty('talpa-service-token');
  await a.set({ methods: ['pin'] });
  origin.once('upgrade', ({ headers: asked }, socket) => {
    const key = `${asked['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.on('error', () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  });
  const webSocket = rawSocket(
    test.side.httpPort,
    `GET / HTTP/1.1\r\nHost: ${a.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nTalpa-Service-Token: ${token}\r\n\r\n`,
  );
  await until('the WebSocket', () => webSocket.received().includes('101'));
  const ended = new Promise((done) => webSocket.socket.once('close', done));
  // Nobody's sign-in ends it.
  await test.provider.proxiesSql`delete from visits where proxy_uuid = ${a.uuid}`;
  await test.side.recheck(new Set([a.host]));
  expect(test.side.running()).toBe(1);
  await test.provider.proxiesSql`delete from service_tokens where proxy_uuid = ${a.uuid}`;
  await test.side.recheck(new Set([a.host]));
  await ended;
  await until('the end', async () => (await a.visit({ headers })).status === 401);
});

it('a service token passes no rule that denies, ends in time, and ten wrong ones stop their visitor alone', async () => {
  const deny = { action: 'deny', match: { by: 'address', network: '127.0.0.3' }, expiresAt: null };
  const proxy = await test.newProxy({ methods: ['pin'], rules: [deny] });
  const headers = { 'talpa-service-token': await proxy.newToken() };
  const late = { 'talpa-service-token': await proxy.newToken('-1 second') };
  expect((await proxy.visit({ from: '127.0.0.3', headers })).status).toBe(403);
  expect((await proxy.visit({ headers })).status).toBe(200);
  expect((await proxy.visit({ headers: late })).status).toBe(401);
  const from = (address: string, more: object) => ({
    ...{ from: '127.0.0.9', headers: { 'x-forwarded-for': address, ...more } },
  });
  for (let guess = 0; guess < 10; guess += 1) {
    const wrong = { 'talpa-service-token': `talpa_st_${randomBytes(32).toString('base64url')}` };
    expect((await proxy.visit(from(`2001:db8:1::${guess + 1}`, wrong))).status).toBe(401);
  }
  // Right, but too late; others and the PIN are not concerned.
  expect((await proxy.visit(from('2001:db8:1::99', headers))).status).toBe(401);
  expect((await proxy.visit(from('198.51.100.7', headers))).status).toBe(200);
  expect((await proxy.tryPin(pin, from('2001:db8:1::98', {}))).status).toBe(303);
});
