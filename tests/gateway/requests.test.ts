import { randomUUID } from 'node:crypto';
import { type Entry, errorBody, errorText, needsFactor, type RouteName, routes } from '@talpa/contracts';
import { type Played, signedAssertion, signedSession, useGateways } from '@talpa/test-kit/gateway';
import { useStores } from '@talpa/test-kit/stores';
import type { FastifyInstance } from 'fastify';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

const test = useStores();
const gateways = useGateways(() => test.stores);
const actor = { userId: 7, isAdmin: false, sessionId: randomUUID() };
const cookie = `talpa_session=${signedSession(actor)}`;
const json = (value: unknown, headers?: Record<string, string>): Played => ({
  body: JSON.stringify(value),
  ...(headers ? { headers } : {}),
});

let gateway: FastifyInstance;
beforeAll(async () => {
  gateway = await gateways.start();
});
beforeEach(async () => {
  await gateways.invalidate([actor.userId, 'global']);
  await gateways.play('auth.getSession', () => signedAssertion(actor));
});

const own = { 'sec-fetch-site': 'same-origin' };
const get = (url: string, headers: Record<string, string> = {}) =>
  gateway.inject({ url, headers: { cookie, ...headers } });
const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
  gateway.inject({ method: 'POST', url, headers: { ...own, ...headers }, payload: payload as object });
const login = (headers?: Record<string, string>) =>
  post('/api/login', { username: 'mole', password: 'p' }, headers);

describe('every route of the contract', () => {
  const names = Object.keys(routes) as RouteName[];

  it.each(names)('%s is there and refuses the methods its address does not know', async (name) => {
    const [method = '', url = ''] = name.split(' ');
    expect(gateway.hasRoute({ method: method as 'GET', url })).toBe(true);
    const response = await gateway.inject({ method: 'PATCH', url: url.replace(/:\w+/, '1'), headers: own });
    expect(response.statusCode).toBe(405);
    expect(String(response.headers.allow).split(', ')).toContain(method);
    expect(errorBody.parse(response.json()).code).toBe('method_not_allowed');
  });

  it.each(names.filter((name) => !name.startsWith('GET ')))(
    '%s is refused to other sites’ pages',
    async (name) => {
      const [method = '', url = ''] = name.split(' ');
      const response = await gateway.inject({
        method: method as 'POST',
        url: url.replace(/:\w+/, '1'),
        headers: { cookie, 'sec-fetch-site': 'cross-site' },
      });
      expect([response.statusCode, response.json().code]).toEqual([403, 'cross_origin']);
    },
  );
});

describe('a route', () => {
  const closed = Object.keys(routes).filter((name) => routes[name as RouteName].access !== 'public');
  const administrators = closed.filter((name) => routes[name as RouteName].access === 'admin');
  const send = (name: string, headers: Record<string, string>) => {
    const [method, url = ''] = name.split(' ');
    return gateway.inject({
      method: method as 'GET',
      url: url.replace(/:\w+/, '1'),
      headers: { ...own, ...headers },
    });
  };

  it('is closed ten minutes after the last sign-in or step-up where the contract asks for one', async () => {
    const old = { ...actor, isAdmin: true, provedAt: Date.now() - 601_000 };
    await gateways.play('auth.getSession', () => signedAssertion(old));
    const guarded = closed.filter((name) => {
      const entry: Entry = routes[name as RouteName];
      return entry.stepUp === true;
    });
    expect(guarded).toContain('GET /api/user/export');
    for (const name of guarded) {
      const response = await send(name, { cookie });
      expect([name, response.statusCode, response.json().code]).toEqual([name, 403, 'step_up_required']);
    }
  });

  it('is closed to users who lack a required second factor, except for what setting one up takes', async () => {
    const lacking = { ...actor, isAdmin: true, provedAt: Date.now(), lacksFactor: true } as const;
    await gateways.play('auth.getSession', () => signedAssertion(lacking));
    const needed = closed.filter((name) => needsFactor(routes[name as RouteName]));
    expect(needed.length).toBeGreaterThan(50);
    for (const name of needed) {
      const response = await send(name, { cookie });
      expect([name, response.statusCode, response.json().code]).toEqual([name, 403, 'second_factor_missing']);
    }
    await gateways.play('auth.getUser', () => json({ id: 7 }));
    expect((await get('/api/user')).statusCode).toBe(200);
  });

  it('is closed to callers who are not signed in, unless it is public', async () => {
    for (const name of closed) {
      const response = await send(name, {});
      expect([name, response.statusCode, response.json().code]).toEqual([name, 401, 'not_signed_in']);
      // There is nothing to clear.
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });

  it('of administrators is closed to all others, whose session goes on', async () => {
    expect(administrators.length).toBeGreaterThan(10);
    for (const name of administrators) {
      const response = await send(name, { cookie });
      expect([name, response.statusCode, response.json().code]).toEqual([name, 403, 'forbidden']);
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });

  it('of administrators is open to them', async () => {
    await gateways.play('auth.getSession', () => signedAssertion({ ...actor, isAdmin: true }));
    await gateways.invalidate([actor.userId]);
    await gateways.play('auth.listUsers', () => json([]));
    expect((await send('GET /api/admin/users', { cookie })).statusCode).toBe(200);
  });
});

describe('a mail program', () => {
  const url = '/unsubscribe?token=ein-geheimnis';

  it('ends notifications by email with a POST from anywhere, whatever its body is', async () => {
    const received = await gateways.play('auth.unsubscribe', () => json(null));
    const forms = {
      'application/x-www-form-urlencoded': 'List-Unsubscribe=One-Click',
      'multipart/form-data; boundary=b':
        '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--',
      'application/json': '{"token":"ein-anderes"}',
    };
    for (const [type, payload] of Object.entries(forms)) {
      const headers = {
        'content-type': type,
        'sec-fetch-site': 'cross-site',
        origin: 'https://mail.example',
      };
      expect((await gateway.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(204);
    }
    expect((await gateway.inject({ method: 'POST', url })).statusCode).toBe(204);
    expect(received.map(({ input }) => input)).toEqual(Array(4).fill({ token: 'ein-geheimnis' }));
  });

  it('that sends more than a form is refused before it has sent everything', async () => {
    const received = await gateways.play('auth.unsubscribe', () => json(null));
    const headers = { 'content-type': 'text/plain' };
    const response = await gateway.inject({ method: 'POST', url, headers, payload: 'x'.repeat(5_000) });
    expect(response.statusCode).toBe(413);
    expect(received).toEqual([]);
  });

  it('that only opens the address gets the page, and ends nothing', async () => {
    const received = await gateways.play('auth.unsubscribe', () => json(null));
    const page = await gateway.inject({ url, headers: { accept: 'text/html' } });
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const without = await gateway.inject({ method: 'POST', url: '/unsubscribe' });
    expect([without.statusCode, without.json().code]).toEqual([400, 'invalid_input']);
    expect(received).toEqual([]);
  });
});

describe('a call', () => {
  it('reaches the service with its actor, client and checked input, and the reply’s bytes come back', async () => {
    const bytes = '{ "proxy": {"as":  "it is"}, "message": "ü" }';
    const received = await gateways.play('proxies.createProxy', () => ({ body: bytes }));
    const response = await post(
      '/api/tunnel-configs',
      { serverName: '  Mein Server ', serverIP: '127.0.0.1', adminPort: '40120' },
      {
        cookie,
        'user-agent': 'mole/1',
        'accept-language': 'en',
        'x-request-id': 'forged',
        traceparent: '00-00000000000000000000000000000001-0000000000000001-01',
        'x-user-id': '1',
      },
    );
    expect([response.statusCode, response.body]).toEqual([201, bytes]);
    expect(response.headers['content-type']).toContain('application/json');
    const [call] = received;
    expect(call).toMatchObject({
      actor,
      client: { address: '127.0.0.1', userAgent: 'mole/1' },
      input: { serverName: 'Mein Server', serverIP: '127.0.0.1', adminPort: 40_120, customUrl: null },
    });
    expect(Object.keys(call?.input as object).sort()).toEqual([
      'adminPort',
      'customUrl',
      'serverIP',
      'serverName',
    ]);
    expect(call?.headers).toMatchObject({ language: 'en', 'request-id': response.headers['x-request-id'] });
    expect(JSON.stringify(call?.headers)).not.toMatch(/forged|x-user-id|traceparent/);
  });

  it('takes its id from the path, and is refused if the body has another one', async () => {
    const received = await gateways.play('proxies.updateProxy', () => json({}));
    const put = (id: number) =>
      gateway.inject({
        method: 'PUT',
        url: '/api/tunnel-configs/12',
        headers: { cookie, ...own },
        payload: { id, serverName: 'a', serverIP: '127.0.0.1', adminPort: 1 },
      });
    expect([(await put(99)).statusCode, received]).toEqual([400, []]);
    await put(12);
    expect(received[0]?.input).toMatchObject({ id: 12 });
  });

  it('without a response’s body is a 204', async () => {
    await gateways.play('proxies.deleteProxy', () => json(null));
    const response = await gateway.inject({
      method: 'DELETE',
      url: '/api/tunnel-configs/1',
      headers: { cookie, ...own, 'content-type': 'application/json' },
    });
    expect([response.statusCode, response.body]).toEqual([204, '']);
  });

  it('that fails returns the service’s code, in the caller’s language', async () => {
    await gateways.play('proxies.createProxy', () =>
      json({ params: { limit: 3 } }, { 'Error-Code': 'proxy_limit_reached' }),
    );
    const payload = { serverName: 'a', serverIP: '127.0.0.1', adminPort: 1 };
    const german = await post('/api/tunnel-configs', payload, { cookie });
    expect(german.statusCode).toBe(403);
    expect(errorBody.parse(german.json())).toMatchObject({
      code: 'proxy_limit_reached',
      message: errorText('proxy_limit_reached', 'de', { limit: 3 }),
      requestId: german.headers['x-request-id'],
    });
    const english = await post('/api/tunnel-configs', payload, {
      cookie,
      'accept-language': 'fr, en-GB;q=0.8',
    });
    expect(english.json().message).toBe(errorText('proxy_limit_reached', 'en', { limit: 3 }));
  });

  it('to a service that is not there is a 503 that says when to come again', async () => {
    const response = await get('/api/user/subscription');
    expect([response.statusCode, response.json().code]).toEqual([503, 'service_unavailable']);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('to a service that is silent is a 504, never a hang', async () => {
    await gateways.play('stats.getTotals', () => null);
    const response = await get('/api/system/stats');
    expect([response.statusCode, response.json().code]).toEqual([504, 'deadline_exceeded']);
  });

  it('with an invalid response is a 500 that shows nothing of it', async () => {
    for (const played of [
      { body: 'SELECT 1', headers: { 'Error-Code': 'internal' } },
      json({}, { 'Error-Code': 'sql' }),
    ]) {
      await gateways.play('auth.getPreferences', () => played);
      const response = await get('/api/user/preferences');
      expect([response.statusCode, response.json().code]).toEqual([500, 'internal']);
      expect(response.body).not.toContain('SELECT');
    }
  });
});

describe('a body', () => {
  const send = (payload: string, type = 'application/json') =>
    gateway.inject({ method: 'POST', url: '/api/login', headers: { ...own, 'content-type': type }, payload });

  it.each([
    ['that is broken JSON', '{"username":', 'application/json', 400, 'invalid_json'],
    ['that would change all objects', '{"__proto__": {}}', 'application/json', 400, 'invalid_json'],
    ['that is no object', '[1]', 'application/json', 400, 'invalid_input'],
    ['that is null', 'null', 'application/json', 400, 'invalid_input'],
    ['of another type', 'username=a', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['of another type that any page may send', '{}', 'text/plain', 415, 'unsupported_media_type'],
    [
      'over 64 kB',
      JSON.stringify({ username: 'a'.repeat(66_000) }),
      'application/json',
      413,
      'payload_too_large',
    ],
  ])('%s is refused', async (_case, payload, type, status, code) => {
    const response = await send(payload, type);
    expect([response.statusCode, errorBody.parse(response.json()).code]).toEqual([status, code]);
  });

  it('names all its faulty fields', async () => {
    const response = await post('/api/register', { username: 'a', password: 1 }, { 'accept-language': 'en' });
    expect(response.json()).toMatchObject({
      code: 'invalid_input',
      issues: [
        { path: ['username'], message: 'Username must be at least 3 characters long' },
        { path: ['password'], message: 'This value is invalid' },
      ],
    });
  });
});

describe('signing in and out', () => {
  it('sets a cookie that lives as long as the session', async () => {
    const jwt = signedSession(actor);
    await gateways.play('auth.login', () => json({ id: 7 }, { 'Effect-Session': jwt }));
    const response = await login();
    expect(response.statusCode).toBe(200);
    const [setCookie = '', device] = [response.headers['set-cookie'] ?? []].flat();
    expect(setCookie).toMatch(/^talpa_session=[\w.-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    expect(device).toMatch(/^talpa_device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    const expires = Date.parse(/Expires=([^;]+)/.exec(setCookie)?.[1] ?? '');
    expect(expires).toBeGreaterThan(Date.now() + 3_500_000);
    expect(response.headers['cache-control']).toContain('no-store');
  });

  it('binds the cookie to this host and to TLS where the panel is reached by https', async () => {
    const secure = await gateways.start(undefined, { publicUrl: 'https://panel.example' });
    const jwt = signedSession(actor);
    await gateways.play('auth.login', () => json({ id: 7 }, { 'Effect-Session': jwt }));
    await gateways.play('auth.getUser', () => json({ id: 7 }));
    const response = await secure.inject({
      method: 'POST',
      url: '/api/login',
      headers: { origin: 'https://panel.example' },
      payload: { username: 'mole', password: 'p' },
    });
    const setCookie = String(response.headers['set-cookie']);
    expect(setCookie).toMatch(/^__Host-talpa_session=.*; Path=\/; .*; Secure/);
    expect(response.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
    const known = (name: string) =>
      secure.inject({ url: '/api/user', headers: { cookie: `${name}=${jwt}` } });
    expect((await known('__Host-talpa_session')).statusCode).toBe(200);
    expect((await known('talpa_session')).statusCode).toBe(401);
  });

  it('takes no cookie from anybody but auth', async () => {
    await gateways.play('auth.login', () => json({ id: 7 }, { 'Effect-Session': 'forged.session.token' }));
    const response = await login();
    expect([response.statusCode, response.headers['set-cookie']]).toEqual([500, undefined]);
  });

  it('clears the cookie, and knows who signs out', async () => {
    const received = await gateways.play('auth.logout', () => json(null));
    const response = await post('/api/logout', undefined, { cookie, 'content-type': 'application/json' });
    expect(response.statusCode).toBe(204);
    expect(response.headers['set-cookie']).toMatch(/^talpa_session=; Max-Age=0/);
    expect(received[0]?.actor).toEqual(actor);
  });

  it('clears the cookie of a session that has ended', async () => {
    await gateways.play('auth.getSession', () => signedAssertion(null));
    const response = await get('/api/user');
    expect([response.statusCode, response.json().code]).toEqual([401, 'not_signed_in']);
    expect(response.headers['set-cookie']).toMatch(/^talpa_session=; Max-Age=0/);
  });

  it('is not taken for signed out when auth does not answer', async () => {
    await gateways.play('auth.getSession', () => null);
    const response = await get('/api/user');
    expect([response.statusCode, response.headers['set-cookie']]).toEqual([503, undefined]);
    const file = await get('/remotes/admin/mf-manifest.json');
    expect(file.statusCode).toBe(503);
    const failing = json({}, { 'Error-Code': 'internal' });
    await gateways.play('auth.getSession', () => failing);
    const failed = await get('/api/user');
    expect([failed.statusCode, failed.headers['set-cookie']]).toEqual([500, undefined]);
  });
});

describe('an address the API does not know', () => {
  it.each(['/api', '/api/nothing', '/api/user/', '/api/%zz'])(
    '%s gets a response in our envelope',
    async (url) => {
      const response = await get(url);
      expect([response.statusCode, errorBody.parse(response.json()).code]).toEqual([404, 'not_found']);
      expect(response.headers['x-content-type-options']).toBe('nosniff');
    },
  );
});
