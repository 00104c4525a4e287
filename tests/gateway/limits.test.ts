import { randomUUID } from 'node:crypto';
import { redisOptions } from '@talpa/service-kit/redis/connect';
import { trustProxyOf } from '@talpa/service-kit/trust-proxy';
import type { FastifyInstance } from 'fastify';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createAttemptLimit } from '../../gateway/limits/attempts.ts';
import { askedSession, roomy, signedAssertion, signedSession, useGateways } from '../kit/gateway.ts';
import { useStores } from '../kit/stores.ts';
import { until } from '../kit/wait.ts';

const test = useStores();
const gateways = useGateways(() => test.stores);
const actor = () => ({ userId: Math.ceil(Math.random() * 1e9), sessionId: randomUUID() });

let addresses = 0;
/** Each test comes from addresses of its own: the counts are in one Redis. */
function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

function signIn(
  app: FastifyInstance,
  username: string,
  remoteAddress: string,
  headers: Record<string, string> = {},
) {
  return app.inject({
    method: 'POST',
    url: '/api/login',
    remoteAddress,
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
    payload: { username, password: 'guess' },
  });
}
const refuseAll = () =>
  gateways.play('auth.login', () => ({ body: '{}', headers: { 'Error-Code': 'invalid_credentials' } }));
const acceptAll = () =>
  gateways.play('auth.login', () => ({ body: '{}', headers: { 'Effect-Session': signedSession(actor()) } }));
const statuses = async (times: number, send: (n: number) => Promise<{ statusCode: number }>) => {
  const seen: number[] = [];
  for (let n = 0; n < times; n += 1) seen.push((await send(n)).statusCode);
  return seen;
};

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

it('a wrong attempt counts although Redis goes before it has ended', async () => {
  const redis = new Redis(redisOptions(test.stores.redisUrl('gateway')));
  const limit = createAttemptLimit(redis, `gone-${randomUUID()}`, 1);
  const attempt = await limit.begin('a');
  redis.disconnect();
  await attempt.end(true);
  await expect(limit.begin('a')).rejects.toMatchObject({ code: 'too_many_requests' });
  await (await limit.begin('b')).end(false);
});

describe('one’s own password', () => {
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
        payload: { password: 'guess', currentPassword: 'guess', newPassword: 'long enough' },
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

describe('an address in X-Forwarded-For', () => {
  const forged = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` });

  it('counts for nothing unless a proxy is trusted', async () => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 2 });
    await refuseAll();
    const address = newAddress();
    expect(await statuses(3, (n) => signIn(app, randomUUID(), address, forged(n)))).toEqual([401, 401, 429]);
  });

  it.each(['1', '198.51.100.0/24'])('counts when TRUST_PROXY is %s', async (setting) => {
    const app = await gateways.start(
      { ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 2 },
      { trustProxy: trustProxyOf(setting) },
    );
    const received = await refuseAll();
    const address = newAddress();
    const seen = await statuses(3, (n) =>
      signIn(app, randomUUID(), address, forged(100 + 10 * setting.length + n)),
    );
    expect(seen).toEqual([401, 401, 401]);
    expect(received[0]?.origin.address).toBe(`203.0.113.${100 + 10 * setting.length}`);
  });
});

describe('other requests', () => {
  it('are limited: registrations by address, changes and reads by user', async () => {
    const app = await gateways.start({
      ...roomy,
      REGISTER_LIMIT_PER_MINUTE: 2,
      MUTATION_LIMIT_PER_MINUTE: 3,
      REQUEST_LIMIT_PER_MINUTE: 8,
    });
    await gateways.play('auth.register', () => ({
      body: '{}',
      headers: { 'Effect-Session': signedSession(actor()) },
    }));
    const remoteAddress = newAddress();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const register = () =>
      app.inject({
        method: 'POST',
        url: '/api/register',
        remoteAddress,
        headers,
        payload: { username: 'mole', password: 'long enough' },
      });
    expect(await statuses(3, register)).toEqual([201, 201, 429]);

    const user = { ...actor(), isAdmin: false };
    const cookie = `talpa_session=${signedSession(user)}`;
    await gateways.play('auth.getSession', () => signedAssertion(user));
    await gateways.play('billing.changePlan', () => ({ body: '{}' }));
    await gateways.play('auth.getPreferences', () => ({ body: '{}' }));
    const change = () =>
      app.inject({
        method: 'POST',
        url: '/api/user/subscription',
        headers: { ...headers, cookie },
        payload: { planId: 'free' },
      });
    const read = () => app.inject({ url: '/api/user/preferences', headers: { cookie } });
    expect(await statuses(4, change)).toEqual([200, 200, 200, 429]);
    expect(await statuses(5, read)).toEqual([200, 200, 200, 200, 429]);
  });

  it('for the admin remote’s files are limited before auth is asked, for administrators and others', async () => {
    const app = await gateways.start({ ...roomy, REQUEST_LIMIT_PER_MINUTE: 3 });
    for (const [isAdmin, status] of [
      [true, 200],
      [false, 404],
    ] as const) {
      const user = { ...actor(), isAdmin };
      const asked = await gateways.play('auth.getSession', () => signedAssertion(user));
      const file = () =>
        app.inject({
          url: '/remotes/admin/mf-manifest.json',
          headers: { cookie: `talpa_session=${signedSession(user)}` },
        });
      expect(await statuses(3, file)).toEqual([status, status, status]);
      const before = asked.length;
      const refused = await file();
      expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
      expect(asked).toHaveLength(before);
    }
    // Whoever shows no session is told nothing, and asks auth nothing.
    const url = '/remotes/admin/mf-manifest.json';
    const remoteAddress = newAddress();
    expect(await statuses(5, () => app.inject({ url, remoteAddress }))).toEqual(Array(5).fill(404));
  });

  it('with the cookie of an ended session count for their address alone, never for the user', async () => {
    const limits = {
      ...roomy,
      REQUEST_LIMIT_PER_MINUTE: 6,
      MUTATION_LIMIT_PER_MINUTE: 2,
      RECREATE_LIMIT_PER_MINUTE: 1,
    };
    const app = await gateways.start(limits);
    const [ended, living] = [actor(), actor()];
    living.userId = ended.userId;
    await gateways.play('auth.getSession', (call) =>
      signedAssertion(askedSession(call) === living.sessionId ? { ...living, isAdmin: false } : null),
    );
    await gateways.play('auth.getPreferences', () => ({ body: '{}' }));
    await gateways.play('auth.logout', () => ({ body: 'null' }));
    await gateways.play('billing.changePlan', () => ({ body: '{}' }));
    const [thief, home] = [newAddress(), newAddress()];
    const cookieOf = (one: typeof ended) => `talpa_session=${signedSession(one)}`;
    const send = (
      one: typeof ended,
      remoteAddress: string,
      method: 'GET' | 'POST',
      url: string,
      payload = {},
    ) =>
      app.inject({
        ...{ method, url, remoteAddress },
        headers: { 'sec-fetch-site': 'same-origin', cookie: cookieOf(one) },
        ...(method === 'POST' ? { payload } : {}),
      });
    const leave = () => send(ended, thief, 'POST', '/api/logout');
    expect(await statuses(3, leave)).toEqual([204, 204, 429]);
    const read = () => send(ended, thief, 'GET', '/api/user/preferences');
    expect(await statuses(5, read)).toEqual([401, 401, 401, 429, 429]);
    // Another ended session of the same user helps its holder no further.
    const other = { ...ended, sessionId: randomUUID() };
    expect((await send(other, thief, 'GET', '/api/user/preferences')).statusCode).toBe(429);

    const change = () => send(living, home, 'POST', '/api/user/subscription', { planId: 'free' });
    expect(await statuses(3, change)).toEqual([200, 200, 429]);
    const seen = () => send(living, home, 'GET', '/api/user/preferences');
    expect(await statuses(4, seen)).toEqual([200, 200, 200, 429]);
  });

  it('with cookies of ended sessions make auth look no further once their address is used up', async () => {
    const app = await gateways.start({ ...roomy, REQUEST_LIMIT_PER_MINUTE: 6 });
    const user = { ...actor(), isAdmin: false };
    const asked = await gateways.play('auth.getSession', (call) =>
      signedAssertion(askedSession(call) === user.sessionId ? user : null),
    );
    await gateways.play('auth.getPreferences', () => ({ body: '{}' }));
    const remoteAddress = newAddress();
    const ended = Array.from({ length: 4 }, () => signedSession({ ...user, sessionId: randomUUID() }));
    const read = (session: string) =>
      app.inject({
        ...{ url: '/api/user/preferences', remoteAddress },
        headers: { cookie: `talpa_session=${session}` },
      });
    const readAll = () => statuses(ended.length, (n) => read(ended[n] ?? ''));
    expect(await readAll()).toEqual([401, 401, 401, 401]);
    await gateways.invalidate([user.userId]);
    expect(await readAll()).toEqual([401, 401, 429, 429]);
    expect(asked).toHaveLength(6);
    await gateways.invalidate([user.userId]);
    expect(await readAll()).toEqual([429, 429, 429, 429]);
    expect(asked).toHaveLength(6);
    // Whoever shares the address and has a session is still served.
    expect((await read(signedSession(user))).statusCode).toBe(200);
  });

  it('about whose subdomain is free are limited for each user alone, and use up no changes', async () => {
    const app = await gateways.start({
      ...roomy,
      SUBDOMAIN_CHECK_LIMIT_PER_MINUTE: 2,
      MUTATION_LIMIT_PER_MINUTE: 1,
    });
    await gateways.play('proxies.checkSubdomain', () => ({ body: '{}' }));
    await gateways.play('billing.changePlan', () => ({ body: '{}' }));
    for (let users = 0; users < 2; users += 1) {
      const user = { ...actor(), isAdmin: false };
      await gateways.play('auth.getSession', () => signedAssertion(user));
      const headers = { 'sec-fetch-site': 'same-origin', cookie: `talpa_session=${signedSession(user)}` };
      const url = '/api/subdomain-availability?subdomain=web';
      expect(await statuses(3, () => app.inject({ url, headers }))).toEqual([200, 200, 429]);
      const change = { method: 'POST', url: '/api/user/subscription', payload: { planId: 'free' } } as const;
      expect(await statuses(1, () => app.inject({ ...change, headers }))).toEqual([200]);
    }
  });

  it('that cost calls of the tunnel provider are limited for each user alone', async () => {
    const limits = {
      TUNNEL_TOKEN_LIMIT_PER_MINUTE: 2,
      TUNNEL_STATUS_LIMIT_PER_MINUTE: 3,
      RECREATE_LIMIT_PER_MINUTE: 1,
    };
    const app = await gateways.start({ ...roomy, ...limits });
    await gateways.play('proxies.getTunnelToken', () => ({ body: '{}' }));
    await gateways.play('proxies.getTunnelStatus', () => ({ body: '{}' }));
    await gateways.play('proxies.recreateTunnel', () => ({ body: '{}' }));
    for (let users = 0; users < 2; users += 1) {
      const user = { ...actor(), isAdmin: false };
      await gateways.play('auth.getSession', () => signedAssertion(user));
      const headers = {
        'sec-fetch-site': 'same-origin',
        cookie: `talpa_session=${signedSession(user)}`,
      };
      const get = (url: string) => () => app.inject({ url, headers });
      const recreate = () => app.inject({ method: 'POST', url: '/api/recreate-tunnel/7', headers });
      expect(await statuses(3, get('/api/tunnel-configs/7/tunnel-token'))).toEqual([200, 200, 429]);
      expect(await statuses(4, get('/api/tunnel-status/7'))).toEqual([200, 200, 200, 429]);
      expect(await statuses(2, recreate)).toEqual([200, 429]);
      const { code, message } = (await recreate()).json();
      expect([code, message]).toEqual(['too_many_requests', expect.stringMatching(/\d+\u00a0s/)]);
    }
  });
});
