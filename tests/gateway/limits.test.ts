import { randomUUID } from 'node:crypto';
import { trustProxyOf } from '@talpa/service-kit/trust-proxy';
import { askedSession, roomy, signedAssertion, signedSession, useGateways } from '@talpa/test-kit/gateway';
import { newAddress, signIn, statuses } from '@talpa/test-kit/limited-calls';
import { useStores } from '@talpa/test-kit/stores';
import { describe, expect, it } from 'vitest';

const test = useStores();
const gateways = useGateways(() => test.stores);
const actor = () => ({ userId: Math.ceil(Math.random() * 1e9), sessionId: randomUUID() });

const refuseAll = () =>
  gateways.play('auth.login', () => ({ body: '{}', headers: { 'Error-Code': 'invalid_credentials' } }));

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
    expect(received[0]?.client.address).toBe(`203.0.113.${100 + 10 * setting.length}`);
  });
});

describe('wrong reset links', () => {
  it.each([
    ['invalid', 403],
    ['expired', 410],
    ['used', 410],
  ])('that are %s are limited by address, right ones are not', async (state, status) => {
    const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 2 });
    const remoteAddress = newAddress();
    const reset = () =>
      app.inject({
        method: 'POST',
        url: '/api/password-reset',
        remoteAddress,
        headers: { 'sec-fetch-site': 'same-origin' },
        payload: { token: 'x', newPassword: 'long enough' },
      });
    await gateways.play('auth.resetPassword', () => ({ body: 'null' }));
    expect(await statuses(3, reset)).toEqual([204, 204, 204]);
    await gateways.play('auth.resetPassword', () => ({
      body: '{}',
      headers: { 'Error-Code': `reset_link_${state}` },
    }));
    expect(await statuses(3, reset)).toEqual([status, status, 429]);
  });
});

it('wrong passwords with a link that verifies an address are limited by address', async () => {
  const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 2 });
  const remoteAddress = newAddress();
  await gateways.play('auth.verifyEmail', () => ({
    body: '{}',
    headers: { 'Error-Code': 'wrong_password' },
  }));
  const verify = () =>
    app.inject({
      method: 'POST',
      url: '/api/email-verification',
      remoteAddress,
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: { token: 'x', password: 'guessed' },
    });
  expect(await statuses(3, verify)).toEqual([400, 400, 429]);
});

it('wrong invitation codes are limited by address, and registrations with right ones use nothing of that up', async () => {
  const app = await gateways.start({ ...roomy, SIGN_IN_LIMIT_PER_MINUTE: 2 });
  const remoteAddress = newAddress();
  const register = () =>
    app.inject({
      method: 'POST',
      url: '/api/register',
      remoteAddress,
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: { username: randomUUID().slice(0, 12), password: 'long enough', invitation: 'ABCD-EFGH-JKMN' },
    });
  await gateways.play('auth.register', () => ({
    body: '{}',
    headers: { 'Effect-Session': signedSession(actor()) },
  }));
  expect(await statuses(3, register)).toEqual([201, 201, 201]);
  await gateways.play('auth.register', () => ({
    body: '{}',
    headers: { 'Error-Code': 'invitation_invalid' },
  }));
  expect(await statuses(3, register)).toEqual([403, 403, 429]);
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

  it('count for their user whatever answers them, in each session', async () => {
    const app = await gateways.start({ ...roomy, REQUEST_LIMIT_PER_MINUTE: 3 });
    const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/user/subscription`;
    const user = { ...actor(), isAdmin: false };
    const sessions = [user, { ...user, sessionId: randomUUID() }];
    await gateways.play('auth.getSession', (call) =>
      signedAssertion(sessions.find(({ sessionId }) => sessionId === askedSession(call)) ?? null),
    );
    const asked = await gateways.play('billing.getSubscription', () => ({ body: '{}' }));
    // Over the network: `inject` does not reach the fast path.
    const read = async (n: number) => {
      const headers = { cookie: `talpa_session=${signedSession(sessions[n % 2] ?? user)}` };
      return { statusCode: (await fetch(url, { headers })).status };
    };
    expect(await statuses(4, read)).toEqual([200, 200, 200, 429]);
    expect(asked).toHaveLength(1);
  });

  it('are counted by all gateways together', async () => {
    const limits = { ...roomy, MUTATION_LIMIT_PER_MINUTE: 3 };
    const both = await Promise.all([gateways.start(limits), gateways.start(limits)]);
    const user = { ...actor(), isAdmin: false };
    await gateways.play('auth.getSession', () => signedAssertion(user));
    await gateways.play('billing.changePlan', () => ({ body: '{}' }));
    const headers = { 'sec-fetch-site': 'same-origin', cookie: `talpa_session=${signedSession(user)}` };
    const change = { method: 'POST', url: '/api/user/subscription', payload: { planId: 'free' } } as const;
    const seen = await statuses(4, (n) => (both[n % 2] ?? both[0]).inject({ ...change, headers }));
    expect(seen).toEqual([200, 200, 200, 429]);
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
    // A request without a session gets no detail, and causes no call to auth.
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
    expect((await send(other, newAddress(), 'GET', '/api/user/preferences')).statusCode).toBe(401);

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
    // A user who shares the address and has a session is still served.
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
