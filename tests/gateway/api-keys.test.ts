import { randomBytes, randomUUID } from 'node:crypto';
import type { ActingKey, KeyActor } from '@talpa/contracts';
import { roomy, signedAssertion, signedSession, useGateways } from '@talpa/test-kit/gateway';
import { newAddress, statuses } from '@talpa/test-kit/limited-calls';
import { useStores } from '@talpa/test-kit/stores';
import { describe, expect, it } from 'vitest';

const test = useStores();
const gateways = useGateways(() => test.stores);

const newId = () => Math.ceil(Math.random() * 1e9);
/** A key and who acts with it. */
function newKey(more: Partial<ActingKey> = {}, userId = newId()) {
  const id = newId();
  const key = `talpa_${id}_${randomBytes(32).toString('hex')}`;
  const scopes = ['account:read', 'proxies:read', 'proxies:write', 'tunnel-token:read'] as const;
  const apiKey: ActingKey = { id, name: 'Skript', scopes, proxyIds: null, expiresAt: null, ...more };
  const actor: KeyActor = { userId, isAdmin: false, sessionId: null, apiKey };
  return { id, key, actor, headers: { authorization: `Bearer ${key}` } };
}
type Key = ReturnType<typeof newKey>;

/** Auth, which knows these keys alone. */
const know = (...keys: readonly Key[]) =>
  gateways.play('auth.authenticateApiKey', ({ input }) => {
    const { id, secret } = input as { id: number; secret: string };
    const found = keys.find(({ key }) => key === `talpa_${id}_${secret}`);
    return found
      ? signedAssertion(found.actor)
      : { body: '{}', headers: { 'Error-Code': 'api_key_invalid' } };
  });

describe('an API key', () => {
  it('is asked about once per cache version, and its cached responses are its own', async () => {
    const app = await gateways.start();
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const mine = newKey();
    const second = newKey({}, mine.actor.userId);
    const asked = await know(mine, second);
    const read = await gateways.play('billing.getSubscription', ({ actor }) => ({
      body: JSON.stringify({ by: actor?.apiKey?.id ?? 'session' }),
    }));
    const session = { userId: mine.actor.userId, isAdmin: false, sessionId: randomUUID() };
    await gateways.play('auth.getSession', () => signedAssertion(session));
    const get = async (headers: Record<string, string>) =>
      (await fetch(`${address}/api/user/subscription`, { headers })).json();
    const all = async () => [
      await get(mine.headers),
      await get(second.headers),
      await get({ cookie: `talpa_session=${signedSession(session)}` }),
    ];
    const answers = [{ by: mine.id }, { by: second.id }, { by: 'session' }];
    // The first time nobody knows yet whose key it is: nothing is cached.
    for (let turn = 0; turn < 4; turn += 1) expect(await all()).toEqual(answers);
    expect([asked.length, read.length]).toEqual([4, 5]);
    await gateways.invalidate([mine.actor.userId]);
    await know(second);
    expect(await all()).toEqual([expect.objectContaining({ code: 'api_key_invalid' }), ...answers.slice(1)]);
  });

  it('counts in place of a cookie: a wrong one is refused whatever cookie comes with it', async () => {
    const app = await gateways.start();
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const session = { userId: newId(), isAdmin: false, sessionId: randomUUID() };
    await know();
    await gateways.play('auth.getSession', () => signedAssertion(session));
    await gateways.play('billing.getSubscription', () => ({ body: '{}' }));
    const cookie = `talpa_session=${signedSession(session)}`;
    const get = async (authorization?: string) => {
      const headers = { cookie, ...(authorization ? { authorization } : {}) };
      return (await fetch(`${address}/api/user/subscription`, { headers })).status;
    };
    // Until the response is cached, and sent before Fastify.
    expect([await get(), await get()]).toEqual([200, 200]);
    for (const wrong of [newKey().headers.authorization, 'Bearer nonsense', 'bearer  ', 'BEARER talpa_1_0'])
      expect(await get(wrong)).toBe(wrong.trim().toLowerCase() === 'bearer' ? 200 : 401);
    expect(await get('Basic bW9sZTptb2xl')).toBe(200);
  });

  it('makes changes without an Origin, which a cookie does not', async () => {
    const app = await gateways.start();
    const mine = newKey();
    await know(mine);
    await gateways.play('proxies.deleteProxy', () => ({ body: 'null' }));
    const remove = (headers: Record<string, string>) =>
      app.inject({ method: 'DELETE', url: '/api/tunnel-configs/7', headers });
    expect((await remove(mine.headers)).statusCode).toBe(204);
    const session = { userId: newId(), isAdmin: false, sessionId: randomUUID() };
    await gateways.play('auth.getSession', () => signedAssertion(session));
    const refused = await remove({ cookie: `talpa_session=${signedSession(session)}` });
    expect(refused.json()).toMatchObject({ code: 'cross_origin' });
  });

  it('that lacks a scope is answered which one, in the language of the caller', async () => {
    const app = await gateways.start();
    const mine = newKey({ scopes: ['proxies:read'] });
    await know(mine);
    const ask = async (language: string) => {
      const headers = { ...mine.headers, 'accept-language': language };
      return (await app.inject({ method: 'DELETE', url: '/api/tunnel-configs/7', headers })).json();
    };
    const facts = { code: 'scope_missing', scope: 'proxies:write' };
    expect(await ask('de')).toMatchObject({ ...facts, message: expect.stringContaining('„proxies:write“') });
    expect(await ask('en')).toMatchObject({ ...facts, message: expect.stringContaining('“proxies:write”') });
  });
});

describe('requests with API keys', () => {
  const read = (app: Awaited<ReturnType<typeof gateways.start>>, { headers }: Key, remoteAddress: string) =>
    app.inject({ url: '/api/user', remoteAddress, headers });

  it('that are wrong are limited by address, and auth is asked no more once that is used up', async () => {
    const app = await gateways.start({ ...roomy, REQUEST_LIMIT_PER_MINUTE: 3 });
    const known = newKey();
    const asked = await know(known);
    await gateways.play('auth.getUser', () => ({ body: '{}' }));
    const address = newAddress();
    expect((await read(app, known, address)).statusCode).toBe(200);
    expect(await statuses(4, () => read(app, newKey(), address))).toEqual([401, 401, 429, 429]);
    expect(asked).toHaveLength(3);
    const malformed = { ...newKey(), headers: { authorization: 'Bearer talpa_1_x' } };
    expect((await read(app, malformed, address)).statusCode).toBe(429);
    expect((await read(app, malformed, newAddress())).json()).toMatchObject({ code: 'api_key_invalid' });
    // A key that is known by now is no stranger’s.
    expect((await read(app, known, address)).statusCode).toBe(200);
  });

  it('whose key auth no longer accepts count for their address again', async () => {
    const app = await gateways.start({ ...roomy, REQUEST_LIMIT_PER_MINUTE: 3 });
    const [mine, address] = [newKey(), newAddress()];
    await know(mine);
    await gateways.play('auth.getUser', () => ({ body: '{}' }));
    expect((await read(app, mine, address)).statusCode).toBe(200);
    await know();
    await gateways.invalidate([mine.actor.userId]);
    // The first of these still counts for the key.
    expect(await statuses(4, () => read(app, mine, address))).toEqual([401, 401, 401, 429]);
    expect((await read(app, newKey(), address)).statusCode).toBe(429);
  });

  it('that are right are limited by key, whatever the address and the owner’s other keys', async () => {
    const app = await gateways.start({ ...roomy, REQUEST_LIMIT_PER_MINUTE: 3 });
    const mine = newKey();
    const [second, moving] = [newKey({}, mine.actor.userId), newKey()];
    await know(mine, second, moving);
    await gateways.play('auth.getUser', () => ({ body: '{}' }));
    for (const key of [mine, second]) {
      const address = newAddress();
      expect(await statuses(4, () => read(app, key, address))).toEqual([200, 200, 200, 429]);
    }
    expect(await statuses(4, () => read(app, moving, newAddress()))).toEqual([200, 200, 200, 429]);
  });

  it('share the limits of calls that cost calls of the tunnel provider with their owner’s other keys', async () => {
    const app = await gateways.start({ ...roomy, TUNNEL_TOKEN_LIMIT_PER_MINUTE: 2 });
    const mine = newKey();
    const second = newKey({}, mine.actor.userId);
    await know(mine, second);
    await gateways.play('proxies.getTunnelToken', () => ({ body: '{}' }));
    const turns = [mine, second, second, mine];
    const url = '/api/tunnel-configs/7/tunnel-token';
    const seen = await statuses(4, (n) => app.inject({ url, headers: turns[n]?.headers ?? {} }));
    expect(seen).toEqual([200, 200, 429, 429]);
  });
});
