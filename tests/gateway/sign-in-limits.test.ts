import { randomUUID } from 'node:crypto';
import { redisOptions } from '@talpa/service-kit/redis/connect';
import { roomy, signedAssertion, signedSession, useGateways } from '@talpa/test-kit/gateway';
import { newAddress, signIn, statuses } from '@talpa/test-kit/limited-calls';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import type { FastifyInstance } from 'fastify';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createAttemptLimit } from '../../gateway/limits/attempts.ts';

const test = useStores();
const gateways = useGateways(() => test.stores);
const actor = () => ({ userId: Math.ceil(Math.random() * 1e9), sessionId: randomUUID() });

const refuseAll = () =>
  gateways.play('auth.login', () => ({ body: '{}', headers: { 'Error-Code': 'invalid_credentials' } }));
const acceptAll = () =>
  gateways.play('auth.login', () => ({ body: '{}', headers: { 'Effect-Session': signedSession(actor()) } }));

describe('sign-in attempts', () => {
  it('are limited by name, from many addresses, on all gateways together', async () => {
    const limits = { ...roomy, SIGN_IN_NAME_LIMIT_PER_MINUTE: 3 };
    const both = await Promise.all([gateways.start(limits), gateways.start(limits)]);
    const attempts = await refuseAll();
    const name = randomUUID();
    const seen = await statuses(5, (n) =>
      signIn(both[n % 2] as FastifyInstance, n % 2 ? name : name.toUpperCase(), newAddress()),
    );
    expect(seen).toEqual([401, 401, 401, 429, 429]);
    expect(attempts).toHaveLength(3);
  });

  it('from one address do not keep the right password from another out', async () => {
    const app = await gateways.start({
      ...roomy,
      SIGN_IN_LIMIT_PER_MINUTE: 3,
      SIGN_IN_NAME_LIMIT_PER_MINUTE: 6,
    });
    await refuseAll();
    const [name, attacker] = [randomUUID(), newAddress()];
    expect((await statuses(20, () => signIn(app, name, attacker))).slice(2, 5)).toEqual([401, 429, 429]);
    await acceptAll();
    expect((await signIn(app, name, newAddress())).statusCode).toBe(200);
  });

  it('from many addresses do not keep out an address that has signed in before', async () => {
    const app = await gateways.start({
      ...roomy,
      SIGN_IN_LIMIT_PER_MINUTE: 3,
      SIGN_IN_NAME_LIMIT_PER_MINUTE: 4,
    });
    const [name, home] = [randomUUID(), newAddress()];
    await acceptAll();
    expect((await signIn(app, name.toUpperCase(), home)).statusCode).toBe(200);
    await refuseAll();
    expect(await statuses(6, () => signIn(app, name, newAddress()))).toEqual([401, 401, 401, 401, 429, 429]);
    await acceptAll();
    expect((await signIn(app, name, newAddress())).statusCode).toBe(429);
    expect((await signIn(app, name, home)).statusCode).toBe(200);
    await refuseAll();
    expect(await statuses(4, () => signIn(app, name, home))).toEqual([401, 401, 401, 429]);
  });

  it('are limited by address, whatever the names', async () => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 3 });
    await refuseAll();
    const address = newAddress();
    expect(await statuses(4, () => signIn(app, randomUUID(), address))).toEqual([401, 401, 401, 429]);
    const refused = await signIn(app, randomUUID(), address, { 'accept-language': 'en' });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(refused.json()).toMatchObject({
      code: 'too_many_requests',
      message: `Too many requests. Please try again in ${seconds}\u00a0s.`,
    });
  });

  it('that succeed, or that nobody could check, use nothing up', async () => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 2 });
    const [name, address] = [randomUUID(), newAddress()];
    await acceptAll();
    expect(await statuses(4, () => signIn(app, name, address))).toEqual([200, 200, 200, 200]);
    await gateways.play('auth.login', () => ({
      body: '{}',
      headers: { 'Error-Code': 'service_unavailable' },
    }));
    expect(await statuses(3, () => signIn(app, name, address))).toEqual([503, 503, 503]);
    await refuseAll();
    expect(await statuses(3, () => signIn(app, name, address))).toEqual([401, 401, 429]);
  });

  it('made at once do not slip through together', async () => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 3 });
    const attempts = await refuseAll();
    const [name, address] = [randomUUID(), newAddress()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(app, name, address)));
    expect(answers.filter((response) => response.statusCode === 401)).toHaveLength(3);
    expect(attempts).toHaveLength(3);
  });

  it('with the right password all succeed, however many are made at once, and lock nobody', async () => {
    const limits = { ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 3, SIGN_IN_NAME_LIMIT_PER_MINUTE: 3 };
    const both = await Promise.all([gateways.start(limits), gateways.start(limits)]);
    const held = Promise.withResolvers<void>();
    let [running, most] = [0, 0];
    await gateways.play('auth.login', async () => {
      running += 1;
      most = Math.max(most, running);
      await held.promise;
      running -= 1;
      return { body: '{}', headers: { 'Effect-Session': signedSession(actor()) } };
    });
    const [name, address] = [randomUUID(), newAddress()];
    const all = Array.from({ length: 20 }, (_, n) =>
      signIn(both[n % 2] as FastifyInstance, n % 3 ? name : randomUUID(), address),
    );
    await until('as many run as may be wrong', () => running === 3);
    held.resolve();
    expect((await Promise.all(all)).map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
    // Before they were known to be right, no more ran than might have been wrong.
    expect(most).toBe(3);
    await refuseAll();
    expect(await statuses(4, (n) => signIn(both[n % 2] as FastifyInstance, name, address))).toEqual([
      401, 401, 401, 429,
    ]);
  });

  it('whose gateway has died in between count until they must have ended', async () => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 3 });
    const address = newAddress();
    const redis = new Redis(redisOptions(test.stores.redisUrl('gateway')));
    const running = `limit:sign-in-address-running:${address}`;
    const since = Date.now() - 19_000;
    for (const id of ['a', 'b', 'c']) await redis.zadd(running, since, id);
    await acceptAll();
    const waiting = signIn(app, randomUUID(), address);
    await redis.zadd(running, since - 60_000, 'a', since - 60_000, 'b', since - 60_000, 'c');
    expect((await waiting).statusCode).toBe(200);
    await redis.quit();
  });
});

it('wrong attempts count for a minute from the first of them, whatever follows', async () => {
  const redis = new Redis(redisOptions(test.stores.redisUrl('gateway')));
  const name = `window-${randomUUID()}`;
  const limit = createAttemptLimit(redis, name, 2);
  await (await limit.begin('a')).end(true);
  // As though half of it were over.
  expect(await redis.pexpire(`limit:${name}:a`, 30_000)).toBe(1);
  await (await limit.begin('a')).end(true);
  await expect(limit.begin('a')).rejects.toMatchObject({
    params: { seconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 30) },
  });
  await redis.quit();
});

it('a wrong attempt counts although Redis goes before it has ended', async () => {
  const redis = new Redis(redisOptions(test.stores.redisUrl('gateway')));
  const limit = createAttemptLimit(redis, `gone-${randomUUID()}`, 1);
  const attempt = await limit.begin('a');
  redis.disconnect();
  await attempt.end(true);
  await expect(limit.begin('a')).rejects.toMatchObject({ code: 'too_many_requests' });
  await (await limit.begin('b')).end(false);
});

describe('the user’s password', () => {
  it('may be guessed as seldom as at signing in, from any address, for whatever it is asked', async () => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 3 });
    const user = { ...actor(), isAdmin: false };
    const headers = {
      'sec-fetch-site': 'same-origin',
      cookie: `talpa_session=${signedSession(user)}`,
    };
    await gateways.play('auth.getSession', () => signedAssertion(user));
    const wrong = { body: '{}', headers: { 'Error-Code': 'wrong_password' } };
    await gateways.play('auth.changePassword', () => wrong);
    await gateways.play('auth.deleteAccount', () => wrong);
    const guess = (n: number) =>
      app.inject({
        method: 'POST',
        url: n % 2 ? '/api/user/password' : '/api/user/deletion',
        remoteAddress: newAddress(),
        headers,
        payload: n % 2 ? { currentPassword: 'guess', newPassword: 'long enough' } : { password: 'guess' },
      });
    expect(await statuses(5, guess)).toEqual([400, 400, 400, 429, 429]);
  });

  it('given rightly counts as a change: hashing is dear', async () => {
    const app = await gateways.start({ ...roomy, MUTATION_LIMIT_PER_MINUTE: 2 });
    const user = { ...actor(), isAdmin: false };
    const headers = {
      'sec-fetch-site': 'same-origin',
      cookie: `talpa_session=${signedSession(user)}`,
    };
    await gateways.play('auth.getSession', () => signedAssertion(user));
    await gateways.play('auth.changePassword', () => ({ body: 'null' }));
    const payload = { currentPassword: 'right', newPassword: 'long enough' };
    const change = () => app.inject({ method: 'POST', url: '/api/user/password', headers, payload });
    expect(await statuses(3, change)).toEqual([204, 204, 429]);
  });
});
