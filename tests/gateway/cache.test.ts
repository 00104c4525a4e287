import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { busHeaders } from '@talpa/service-kit/bus/message';
import { type CacheOwner, createCacheVersions } from '@talpa/service-kit/cache-versions';
import { connectRedis } from '@talpa/service-kit/redis/connect';
import { scrape } from '@talpa/service-kit/telemetry/metrics';
import {
  type ReceivedCall,
  roomy,
  sessionKeys,
  signedAssertion,
  signedSession,
  useGateways,
} from '@talpa/test-kit/gateway';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import type { FastifyInstance } from 'fastify';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readVersions } from '../../gateway/api/authenticate.ts';
import { cacheKey } from '../../gateway/api/cache-key.ts';
import { createCachedReads } from '../../gateway/api/cached-reads.ts';
import { createFastPath, type FastPathParts } from '../../gateway/api/fast-path.ts';
import { type ApiRoute, apiRoutes } from '../../gateway/api/table.ts';
import { createResponseCache } from '../../gateway/cache/responses.ts';
import { createLimits } from '../../gateway/limits/limits.ts';
import { createSessionCookie } from '../../gateway/session/cookie.ts';
import { createSessions } from '../../gateway/session/sessions.ts';
import type { ResponseFacts } from '../../gateway/telemetry/response-log.ts';

const test = useStores();
const gateways = useGateways(() => test.stores);

/** Two replicas, by their addresses: a write through one must invalidate the cache of the other. */
let gateway: string;
let replica: string;
let asked: ReceivedCall[];
let stored = 1;
let actor = { userId: 0, isAdmin: false, sessionId: '' };
let cookie = '';

const bodyOf = (value: unknown) => ({ body: JSON.stringify(value) });
// Over the network: cached responses are sent before Fastify, which its `inject` does not reach.
const ask = (path: string, { from = gateway, as = cookie } = {}) =>
  fetch(from + path, { headers: { cookie: as } });
const responseOf = async (path: string, given = {}) =>
  (await (await ask(path, given)).json()) as Record<string, unknown>;
const limitSeen = async (from = gateway) => (await responseOf('/api/user/subscription', { from })).proxyLimit;
const listening = async (app: FastifyInstance) => app.listen({ host: '127.0.0.1', port: 0 });

beforeAll(async () => {
  [gateway, replica] = await Promise.all([
    gateways.start().then(listening),
    gateways.start().then(listening),
  ]);
});
beforeEach(async () => {
  actor = { userId: Math.ceil(Math.random() * 1e9), isAdmin: false, sessionId: randomUUID() };
  cookie = `talpa_session=${signedSession(actor)}`;
  await gateways.invalidate(['global']);
  await gateways.play('auth.getSession', () => signedAssertion(actor));
  asked = await gateways.play('billing.getSubscription', () => bodyOf({ proxyLimit: stored }));
});

describe('a cached response', () => {
  it('costs no call, and is gone on every replica as soon as something is written', async () => {
    stored = 1;
    for (let i = 0; i < 3; i += 1) expect([await limitSeen(), await limitSeen(replica)]).toEqual([1, 1]);
    expect(asked).toHaveLength(2);
    stored = 2;
    await gateways.invalidate([actor.userId]);
    expect([await limitSeen(), await limitSeen(replica)]).toEqual([2, 2]);
  });

  it('is never one that a write has overtaken while it was fetched', async () => {
    const held = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    await gateways.play('billing.getSubscription', async () => {
      began.resolve();
      await held.promise;
      return bodyOf({ proxyLimit: 1 });
    });
    const overtaken = limitSeen();
    await began.promise;
    await gateways.invalidate([actor.userId]);
    held.resolve();
    expect(await overtaken).toBe(1);
    await gateways.play('billing.getSubscription', () => bodyOf({ proxyLimit: 2 }));
    expect(await limitSeen()).toBe(2);
  });

  it('belongs to its user alone', async () => {
    stored = 5;
    expect(await limitSeen()).toBe(5);
    const other = { userId: actor.userId + 1, isAdmin: false, sessionId: randomUUID() };
    await gateways.play('auth.getSession', () => signedAssertion(other));
    stored = 6;
    const as = `talpa_session=${signedSession(other)}`;
    expect(await responseOf('/api/user/subscription', { as })).toEqual({ proxyLimit: 6 });
  });

  it('is in the language of its request, although others used another before', async () => {
    const languageOf = async (path: string, language: string) => {
      const headers = { cookie, 'accept-language': language };
      const response = (await (await fetch(gateway + path, { headers })).json()) as { language: string };
      return response.language;
    };
    const echoLanguage = ({ headers }: ReceivedCall) => bodyOf({ language: headers.language });
    const own = await gateways.play('billing.getSubscription', echoLanguage);
    const totals = await gateways.play('stats.getTotals', echoLanguage);
    for (const path of ['/api/user/subscription', '/api/system/stats'])
      for (const language of ['de', 'en', 'de', 'en'])
        expect(await languageOf(path, language)).toBe(language);
    // Each language is cached.
    expect([own.length, totals.length]).toEqual([2, 2]);
  });

  it('that is global is cached once, and ends for all users', async () => {
    let totalUsers = 1;
    const totals = await gateways.play('stats.getTotals', () => bodyOf({ totalUsers }));
    const seen = async () => (await responseOf('/api/system/stats')).totalUsers;
    await seen();
    const other = { userId: actor.userId + 1, isAdmin: false, sessionId: randomUUID() };
    await gateways.play('auth.getSession', () => signedAssertion(other));
    cookie = `talpa_session=${signedSession(other)}`;
    expect(await seen()).toBe(1);
    expect(totals).toHaveLength(1);
    totalUsers = 2;
    await gateways.invalidate(['global']);
    expect(await seen()).toBe(2);
  });

  it('looks as it did the first time, and is counted like any other', async () => {
    const from = await listening(await gateways.start({ ...roomy, REQUEST_LIMIT_PER_MINUTE: 4 }));
    // No other test of this file asks for it: theirs are counted as late as the last of these.
    const calls = await gateways.play('auth.getPreferences', () => bodyOf({ email: null }));
    const seen = async () => {
      const response = await ask('/api/user/preferences', { from });
      const { 'x-request-id': requestId, date, ...headers } = Object.fromEntries(response.headers);
      return { requestId, seen: { status: response.status, headers, body: await response.text() } };
    };
    const measured = async () => {
      const count =
        /^talpa_http_request_duration_seconds_count\{.*"\/api\/user\/preferences",status="2xx".*\} (\d+)$/m;
      return Number(count.exec(await scrape())?.[1]);
    };
    const before = (await measured()) || 0;
    await seen();
    await gateways.invalidate([actor.userId]);
    const first = await seen();
    const again = await seen();
    expect(again.seen).toEqual(first.seen);
    expect(again.seen.status).toBe(200);
    expect(again.requestId).not.toBe(first.requestId);
    expect(calls).toHaveLength(2);
    // A response is counted after its client may have all of it.
    await until('all to be counted', async () => (await measured()) === before + 3);
    expect((await seen()).seen.status).toBe(200);
    expect((await seen()).seen.status).toBe(429);
  });

  it('of a list has the headers of its page, and is that of its own page and filter', async () => {
    const calls = await gateways.play('proxies.listProxies', ({ input }) => ({
      ...bodyOf([input]),
      headers: { [busHeaders.nextPage]: 'abc', [busHeaders.total]: '12' },
    }));
    const seen = async (query: string) => {
      const response = await ask(`/api/tunnel-configs${query}`);
      const { 'x-request-id': _id, date: _date, ...headers } = Object.fromEntries(response.headers);
      return { headers, rows: (await response.json()) as unknown[] };
    };
    for (const query of ['', '?limit=5', '?limit=5&status=active', '?limit=5&cursor=abc']) {
      const first = await seen(query);
      expect(await seen(query), query).toEqual(first);
      const known = query.replace('&cursor=abc', '');
      const link = `/api/tunnel-configs${known ? `${known}&` : '?'}cursor=abc`;
      expect(first.headers).toMatchObject({ link: `<${link}>; rel="next"`, 'x-total-count': '12' });
    }
    expect(calls.map(({ input }) => input)).toMatchObject([
      {},
      { limit: 5 },
      { limit: 5, status: 'active' },
      { limit: 5, cursor: 'abc' },
    ]);
    // Refused input is never cached.
    for (const query of ['status=other', 'status=other', 'limit=5&unknown=1', 'limit=5&unknown=1'])
      expect((await ask(`/api/tunnel-configs?${query}`)).status).toBe(400);
    expect(calls).toHaveLength(4);
  });

  it('announces on its connection that the gateway closes', async () => {
    const closing = await gateways.start();
    const from = await listening(closing);
    await limitSeen(from);
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    await gateways.play('auth.logout', async () => {
      begun.resolve();
      await held.promise;
      return { body: 'null' };
    });
    const { hostname, port } = new URL(from);
    const connection = connect(Number(port), hostname);
    const heads = `Host: ${hostname}:${port}\r\nCookie: ${cookie}\r\nOrigin: ${from}\r\n\r\n`;
    connection.write(`POST /api/logout HTTP/1.1\r\nContent-Length: 0\r\n${heads}`);
    await begun.promise;
    const closed = closing.close();
    await until('it to close', () => !closing.server.listening);
    connection.write(`GET /api/user/subscription HTTP/1.1\r\n${heads}`);
    held.resolve();
    const [, last] = (await text(connection)).split(/(?=HTTP\/1\.1 200)/);
    expect(last).toContain(`{"proxyLimit":${stored}}`);
    expect(last?.toLowerCase()).toContain('connection: close');
    await closed;
  });

  it('does not answer the ping, whose time is to be measured', async () => {
    const users = await gateways.play('auth.getUser', () => bodyOf({ id: actor.userId }));
    for (const nocache of ['1', '1', '2']) await ask(`/api/user?nocache=${nocache}`);
    expect(users).toHaveLength(3);
  });
});

describe('the fast path', () => {
  /** A fast path of its own: a request that it leaves to Fastify gets “served”. */
  async function newFastPath(changes: Partial<FastPathParts> = {}) {
    const { lifecycle, stop } = newProcess();
    const redis = connectRedis(test.stores.redisUrl('gateway'), lifecycle);
    await once(redis, 'ready');
    const versions = createCacheVersions(redis, lifecycle);
    const versionsRead: CacheOwner[] = [];
    const cacheVersions = {
      ...versions,
      read: (owners: readonly CacheOwner[]) => {
        versionsRead.push(...owners);
        return versions.read(owners);
      },
    };
    const sessions = createSessions(sessionKeys, createSessionCookie(false));
    const [responses, facts] = [createResponseCache(), [] as ResponseFacts[]];
    const logResponse = (fact: ResponseFacts) => void facts.push(fact);
    const limits = createLimits({ ...roomy, REQUEST_LIMIT_PER_MINUTE: 5 }, redis);
    const fastPath = createFastPath({
      sessions,
      cacheVersions,
      limits,
      responses,
      cachedReads: createCachedReads(),
      headers: { 'x-kept': '1' },
      logResponse,
      ...changes,
    });
    const server = createServer(fastPath((_request, response) => response.end('served')));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      ...{ redis, facts, versionsRead },
      /** Caches this response, as an earlier request would have done. */
      cache: async (name: string, body: string, who = actor, language = 'de') => {
        const route = apiRoutes.find((one) => one.name === name) as ApiRoute;
        const jwt = cookie.replace('talpa_session=', '');
        const claim = sessions.verify(jwt);
        if (!claim) throw new Error('the cookie is none of ours');
        const read = await readVersions(cacheVersions, claim, true);
        const assertion = JSON.parse(signedAssertion(who).body) as { assertion: string };
        const versions = { ...read, sessionsVersion: read.ownVersion };
        await sessions.actorOf(claim, versions, true, async () => assertion);
        const key = cacheKey(route, { actor: who, ...read }, route.entry.input.parse({}), language) ?? '';
        await responses.getOrFetch(key, async () => ({ text: body, expiresAt: Number.POSITIVE_INFINITY }));
      },
      ask: async (path: string, { method = 'GET', as = cookie } = {}) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { cookie: as } });
        return { text: await response.text(), headers: response.headers };
      },
      close: async () => {
        server.closeAllConnections();
        await once(server.close(), 'close');
        await stop();
      },
    };
  }
  const subscription = 'GET /api/user/subscription';
  const stats = 'GET /api/system/stats';

  it('sends the cached responses of a user and those that all users share, with their headers', async () => {
    const begunAt = performance.now();
    const fast = await newFastPath();
    expect((await fast.ask('/api/user/subscription')).text).toBe('served');
    await fast.cache(subscription, '{"ü":1}');
    await fast.cache(stats, '{"all":1}');
    const { text, headers } = await fast.ask('/api/user/subscription');
    expect(text).toBe('{"ü":1}');
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'x-kept': '1', 'content-type': 'application/json; charset=utf-8', 'content-length': '8' },
      ...{ 'cache-control': 'private, no-store', 'x-request-id': expect.any(String) },
    });
    expect((await fast.ask('/api/system/stats')).text).toBe('{"all":1}');
    expect(fast.facts).toMatchObject([
      { requestId: headers.get('x-request-id'), method: 'GET', route: '/api/user/subscription', status: 200 },
      { route: '/api/system/stats' },
    ]);
    const elapsed = performance.now() - begunAt;
    expect(fast.facts.every(({ ms }) => ms >= 0 && ms <= elapsed)).toBe(true);
    await fast.close();
  });

  it('leaves other requests, requests without a session of ours, and those beyond the limit to Fastify', async () => {
    const fast = await newFastPath();
    await fast.cache(subscription, 'cached');
    await fast.cache(stats, 'cached');
    const ask = async (path: string, given = {}) => (await fast.ask(path, given)).text;
    const stranger = `talpa_session=${signedSession({ ...actor, sessionId: randomUUID() })}`;
    for (const [path, given] of [
      ['/api/user/subscription', { method: 'POST' }],
      ['/api/user/subscription', { as: '' }],
      ['/api/user/subscription', { as: stranger }],
      ['/api/system/stats', { as: stranger }],
      ['/api/user/subscription?x=1', {}],
      ['/api/user', {}],
      ['/api/user/passkeys', {}],
      ['/elsewhere', {}],
    ] as const)
      expect(await ask(path, given), path).toBe('served');
    const many = [];
    for (let times = 0; times < 7; times += 1) many.push(await ask('/api/user/subscription'));
    expect(many).toEqual([...Array(5).fill('cached'), 'served', 'served']);
    await fast.close();
  });

  it('asks Redis for the versions that a response depends on, and without a session for none', async () => {
    const fast = await newFastPath();
    for (const [path, given, versions] of [
      ['/api/user/subscription', {}, [actor.userId]],
      ['/api/system/stats', {}, [actor.userId, 'global']],
      ['/api/system/stats', { as: '' }, []],
      ['/api/user/passkeys', {}, []],
    ] as const) {
      await fast.ask(path, given);
      expect(fast.versionsRead.splice(0), path).toEqual(versions);
    }
    await fast.close();
  });

  it('leaves a request that it fails at to Fastify', async () => {
    const allows = () => {
      throw new Error('broken');
    };
    const fast = await newFastPath({ limits: { request: () => {}, guardOf: () => null, allows } });
    await fast.cache(subscription, 'cached');
    expect((await fast.ask('/api/user/subscription')).text).toBe('served');
    await fast.close();
  });

  it('sends nothing after the cache was invalidated, and while Redis is away', async () => {
    const fast = await newFastPath();
    await fast.cache(subscription, 'cached');
    expect((await fast.ask('/api/user/subscription')).text).toBe('cached');
    await gateways.invalidate([actor.userId]);
    expect((await fast.ask('/api/user/subscription')).text).toBe('served');
    await fast.cache(subscription, 'cached again');
    expect((await fast.ask('/api/user/subscription')).text).toBe('cached again');
    fast.redis.disconnect();
    for (const path of ['/api/user/subscription', '/api/system/stats'])
      expect((await fast.ask(path)).text).toBe('served');
    await fast.close();
  });
});

describe('a session', () => {
  it('that has ended is signed out on every replica at once', async () => {
    await limitSeen();
    await limitSeen(replica);
    await gateways.play('auth.getSession', () => signedAssertion(null));
    await gateways.invalidate([actor.userId]);
    for (const from of [gateway, replica])
      expect((await ask('/api/user/subscription', { from })).status).toBe(401);
  });

  it('notifies auth of its use, but not when it is the ping', async () => {
    const sessions = await gateways.play('auth.getSession', () => signedAssertion(actor));
    await gateways.play('auth.getUser', () => bodyOf({ id: actor.userId }));
    await ask('/api/user?nocache=1');
    await ask('/api/user?nocache=2');
    await limitSeen();
    await ask('/api/user?nocache=3');
    expect(sessions.map((call) => (call.input as { use: boolean }).use)).toEqual([false, true]);
  });

  it('lets nobody have the admin remote’s files who is no administrator', async () => {
    const file = async (given = {}) => (await ask('/remotes/admin/mf-manifest.json', given)).status;
    expect(await file({ as: '' })).toBe(404);
    expect(await file()).toBe(404);
    await gateways.play('auth.getSession', () => signedAssertion({ ...actor, isAdmin: true }));
    await gateways.invalidate([actor.userId]);
    expect(await file()).toBe(200);
  });
});
