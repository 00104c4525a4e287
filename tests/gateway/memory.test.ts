import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { scrape } from '@talpa/service-kit/telemetry/metrics';
import type { FastifyInstance } from 'fastify';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ReceivedCall, roomy, signedAnswer, signedSession, useGateways } from '../kit/gateway.ts';
import { useStores } from '../kit/stores.ts';
import { until } from '../kit/wait.ts';

const test = useStores();
const gateways = useGateways(() => test.stores);

/** Two replicas, by their addresses: what one remembers must not outlive what was written through the other. */
let gateway: string;
let replica: string;
let asked: ReceivedCall[];
let stored = 1;
let actor = { userId: 0, isAdmin: false, sessionId: '' };
let cookie = '';

const answered = (value: unknown) => ({ body: JSON.stringify(value) });
// Over the network: what is remembered is answered before Fastify, where its `inject` does not come by.
const ask = (path: string, { from = gateway, as = cookie } = {}) =>
  fetch(from + path, { headers: { cookie: as } });
const told = async (path: string, given = {}) =>
  (await (await ask(path, given)).json()) as Record<string, unknown>;
const limitSeen = async (from = gateway) => (await told('/api/user/subscription', { from })).proxyLimit;
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
  await gateways.invalidate(['everybody']);
  await gateways.play('auth.getSession', () => signedAnswer(actor));
  asked = await gateways.play('billing.getSubscription', () => answered({ proxyLimit: stored }));
});

describe('a remembered answer', () => {
  it('costs no call, and is gone on every replica as soon as something is written', async () => {
    stored = 1;
    for (let i = 0; i < 3; i += 1) expect([await limitSeen(), await limitSeen(replica)]).toEqual([1, 1]);
    expect(asked).toHaveLength(2);
    stored = 2;
    await gateways.invalidate([actor.userId]);
    expect([await limitSeen(), await limitSeen(replica)]).toEqual([2, 2]);
  });

  it('is never one that a write has overtaken while it was fetched', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let began = () => {};
    const reading = new Promise<void>((resolve) => {
      began = resolve;
    });
    await gateways.play('billing.getSubscription', async () => {
      began();
      await held;
      return answered({ proxyLimit: 1 });
    });
    const overtaken = limitSeen();
    await reading;
    await gateways.invalidate([actor.userId]);
    release();
    expect(await overtaken).toBe(1);
    await gateways.play('billing.getSubscription', () => answered({ proxyLimit: 2 }));
    expect(await limitSeen()).toBe(2);
  });

  it('is nobody else’s', async () => {
    stored = 5;
    expect(await limitSeen()).toBe(5);
    const other = { userId: actor.userId + 1, isAdmin: false, sessionId: randomUUID() };
    await gateways.play('auth.getSession', () => signedAnswer(other));
    stored = 6;
    const as = `talpa_session=${signedSession(other)}`;
    expect(await told('/api/user/subscription', { as })).toEqual({ proxyLimit: 6 });
  });

  it('is told in the language it was asked in, whoever asked before in another', async () => {
    const languageTold = async (path: string, language: string) => {
      const headers = { cookie, 'accept-language': language };
      const answer = (await (await fetch(gateway + path, { headers })).json()) as { language: string };
      return answer.language;
    };
    const tellLanguage = ({ headers }: ReceivedCall) => answered({ language: headers.language });
    const own = await gateways.play('billing.getSubscription', tellLanguage);
    const everybodys = await gateways.play('stats.getTotals', tellLanguage);
    for (const path of ['/api/user/subscription', '/api/system/stats'])
      for (const language of ['de', 'en', 'de', 'en'])
        expect(await languageTold(path, language)).toBe(language);
    // Each language is remembered.
    expect([own.length, everybodys.length]).toEqual([2, 2]);
  });

  it('for everybody is shared, and ends for everybody', async () => {
    let totalUsers = 1;
    const totals = await gateways.play('stats.getTotals', () => answered({ totalUsers }));
    const seen = async () => (await told('/api/system/stats')).totalUsers;
    await seen();
    const other = { userId: actor.userId + 1, isAdmin: false, sessionId: randomUUID() };
    await gateways.play('auth.getSession', () => signedAnswer(other));
    cookie = `talpa_session=${signedSession(other)}`;
    expect(await seen()).toBe(1);
    expect(totals).toHaveLength(1);
    totalUsers = 2;
    await gateways.invalidate(['everybody']);
    expect(await seen()).toBe(2);
  });

  it('looks as it did the first time, and is counted like any other', async () => {
    const from = await listening(await gateways.start({ ...roomy, REQUEST_LIMIT: 4 }));
    stored = 7;
    const seen = async () => {
      const answer = await ask('/api/user/subscription', { from });
      const { 'x-request-id': requestId, date, ...headers } = Object.fromEntries(answer.headers);
      return { requestId, seen: { status: answer.status, headers, body: await answer.text() } };
    };
    const measured = async () => {
      const count =
        /^talpa_http_request_duration_seconds_count\{.*"\/api\/user\/subscription",status="2xx".*\} (\d+)$/m;
      return Number(count.exec(await scrape())?.[1]);
    };
    await seen();
    const before = await measured();
    await gateways.invalidate([actor.userId]);
    const first = await seen();
    const again = await seen();
    expect(again.seen).toEqual(first.seen);
    expect(again.seen.status).toBe(200);
    expect(again.requestId).not.toBe(first.requestId);
    expect(asked).toHaveLength(2);
    expect(await measured()).toBe(before + 2);
    expect((await seen()).seen.status).toBe(200);
    expect((await seen()).seen.status).toBe(429);
  });

  it('tells its connection when the gateway closes', async () => {
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
    const users = await gateways.play('auth.getUser', () => answered({ id: actor.userId }));
    for (const nocache of ['1', '1', '2']) await ask(`/api/user?nocache=${nocache}`);
    expect(users).toHaveLength(3);
  });
});

describe('a session', () => {
  it('that has ended is signed out on every replica at once', async () => {
    await limitSeen();
    await limitSeen(replica);
    await gateways.play('auth.getSession', () => signedAnswer(null));
    await gateways.invalidate([actor.userId]);
    for (const from of [gateway, replica])
      expect((await ask('/api/user/subscription', { from })).status).toBe(401);
  });

  it('tells auth of its use, but not when it is the ping', async () => {
    const sessions = await gateways.play('auth.getSession', () => signedAnswer(actor));
    await gateways.play('auth.getUser', () => answered({ id: actor.userId }));
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
    await gateways.play('auth.getSession', () => signedAnswer({ ...actor, isAdmin: true }));
    await gateways.invalidate([actor.userId]);
    expect(await file()).toBe(200);
  });
});
