import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { appliedSubject, eventSubject, userChangedSubject } from '@talpa/service-kit/bus/subjects';
import { askedSession, roomy, signedAssertion, signedSession, useGateways } from '@talpa/test-kit/gateway';
import { type Reader, readLive } from '@talpa/test-kit/live';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import type { FastifyInstance } from 'fastify';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { liveDefaults } from '../../gateway/live/live.ts';

const test = useStores();
const gateways = useGateways(() => test.stores);

interface TestUser {
  readonly userId: number;
  readonly isAdmin: boolean;
  readonly lacksFactor?: true;
  readonly sessionId: string;
}
const newUser = (isAdmin = false): TestUser => ({
  userId: Math.ceil(Math.random() * 1e9),
  isAdmin,
  sessionId: randomUUID(),
});
const cookieOf = (user: TestUser) => `talpa_session=${signedSession(user)}`;
/** Sessions auth would know now, by id. */
const sessions = new Map<string, TestUser>();

let gateway: FastifyInstance;
let replica: FastifyInstance;
const started = async (live: object = {}) => {
  const app = await gateways.start(roomy, {
    live: { ...liveDefaults, lookMs: 600_000, perUser: 3, inAll: 100, ...live },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
};
beforeAll(async () => {
  [gateway, replica] = await Promise.all([started(), started()]);
});
beforeEach(async () => {
  sessions.clear();
  await gateways.play('auth.getSession', (call) => signedAssertion(sessions.get(askedSession(call)) ?? null));
});

async function read(user: TestUser, from = gateway, headers?: Record<string, string>): Promise<Reader> {
  sessions.set(user.sessionId, user);
  return readLive(from.listeningOrigin, cookieOf(user), headers);
}
async function opened(user: TestUser, from = gateway): Promise<Reader> {
  const reader = await read(user, from);
  await reader.saw({ type: 'refetch' });
  return reader;
}
const proxyOf = ({ userId }: TestUser, more: object = {}) => ({
  id: randomUUID(),
  proxyId: Math.ceil(Math.random() * 1e9),
  userId,
  serverName: 'geheim',
  hostname: 'geheim.tunnel.localhost',
  status: 'inactive',
  statusReason: null,
  tunnelHealth: null,
  createdAt: new Date().toISOString(),
  tunnelId: null,
  changedAt: new Date().toISOString(),
  version: 2,
  deleted: false,
  ...more,
});
const publishProxy = async (user: TestUser, more?: object) => {
  const snapshot = proxyOf(user, more);
  await gateways.publish(eventSubject('proxy', snapshot.id), snapshot);
  return snapshot.proxyId;
};

describe('a change', () => {
  it('reaches its owner on every gateway, administrators marked as another user’s, and no one else', async () => {
    const [owner, other, admin] = [newUser(), newUser(), newUser(true)];
    const readers = await Promise.all([
      opened(owner),
      opened(owner, replica),
      opened(other),
      opened(admin, replica),
    ]);
    const id = await publishProxy(owner, { version: 1, status: 'pending' });
    const change = { type: 'proxy', change: 'created', id, userId: owner.userId, status: 'pending' };
    const [first, second, others, admins] = readers as [Reader, Reader, Reader, Reader];
    await Promise.all([
      first.saw({ ...change, scope: 'own' }),
      second.saw({ ...change, scope: 'own' }),
      admins.saw({ ...change, scope: 'all' }),
    ]);
    const mark = await publishProxy(other);
    await others.saw({ type: 'proxy', id: mark, scope: 'own' });
    expect(others.text()).not.toContain(String(owner.userId));
    expect(readers.map((reader) => reader.text()).join()).not.toContain('geheim');
  });

  it('of a user’s flag reaches them, and decides at once which messages they get', async () => {
    const [user, other] = [newUser(), newUser()];
    const reader = await opened(user);
    const snapshot = { id: user.userId, username: 'mole', createdAt: new Date().toISOString() };
    sessions.set(user.sessionId, { ...user, isAdmin: true });
    await gateways.invalidate([user.userId]);
    await gateways.publish(userChangedSubject('auth', user.userId));
    await gateways.publish(eventSubject('user', String(user.userId)), {
      ...snapshot,
      isAdmin: true,
      suspension: null,
      version: 2,
      deleted: false,
    });
    await reader.saw({ type: 'user', scope: 'own', change: 'changed', isAdmin: true });
    await until('they get the messages of others', async () => {
      await publishProxy(other);
      return reader.messages.some((one) => one.type === 'proxy' && one.scope === 'all');
    });
    sessions.set(user.sessionId, user);
    await gateways.invalidate([user.userId]);
    await gateways.publish(userChangedSubject('auth', user.userId));
    await until('they get them no more', async () => {
      const [others, own] = [await publishProxy(other), await publishProxy(user)];
      await reader.saw({ type: 'proxy', id: own });
      return !reader.messages.some((one) => one.type === 'proxy' && one.id === others);
    });
  });

  it('reaches who lacks a required second factor only where it is of their account, until they have one', async () => {
    const other = newUser();
    const admin: TestUser = { ...newUser(true), lacksFactor: true };
    const reader = await opened(admin);
    await publishProxy(other);
    await publishProxy(admin);
    await gateways.publish(eventSubject('user', String(admin.userId)), {
      ...{ id: admin.userId, username: 'mole', createdAt: new Date().toISOString(), isAdmin: true },
      ...{ suspension: null, version: 2, deleted: false },
    });
    await reader.saw({ type: 'user', scope: 'own' });
    expect(reader.messages.map(({ type }) => type)).toEqual(['refetch', 'user']);
    const { lacksFactor: _, ...whole } = admin;
    sessions.set(admin.sessionId, whole);
    await gateways.invalidate([admin.userId]);
    await gateways.publish(userChangedSubject('auth', admin.userId));
    await until('they are to fetch anew', () =>
      reader.messages.some(({ type }, index) => index > 1 && type === 'refetch'),
    );
    const id = await publishProxy(other);
    await reader.saw({ type: 'proxy', scope: 'all', id });
  });

  it('of a plan is published when both projections that serve it have applied it', async () => {
    const user = newUser();
    const reader = await opened(user);
    const snapshot = {
      id: user.userId,
      tier: 'basic',
      proxyLimit: 3,
      expiresAt: null,
      commandVersion: 0,
      deleted: false,
    };
    const apply = (service: string, version: number) =>
      gateways.publish(appliedSubject(service, 'subscription', String(user.userId)), {
        ...snapshot,
        version,
      });
    await apply('auth', 4);
    await apply('billing', 4);
    const mark = await publishProxy(user);
    await reader.saw({ type: 'proxy', id: mark });
    expect(reader.messages.filter(({ type }) => type === 'subscription')).toEqual([]);
    await apply('proxies', 4);
    await reader.saw({ type: 'subscription', scope: 'own', userId: user.userId });
    // One without a report of the other projection is published late rather than never.
    await apply('proxies', 5);
    await until(
      'it is published all the same',
      () => reader.messages.filter(({ type }) => type === 'subscription').length === 2,
    );
  });
});

describe('a stream', () => {
  it('begins with how to come back and what to do, and nobody on the way keeps or gathers it', async () => {
    const reader = await opened(newUser());
    expect(reader.text()).toMatch(/^retry: [123]\d{3}\n\ndata: \{"type":"refetch"\}\n\n$/);
    expect(Object.fromEntries(reader.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    reader.close();
  });

  it('ends at once on every gateway when its session does, with a message; the user’s others go on', async () => {
    const user = newUser();
    const elsewhere = { ...user, sessionId: randomUUID() };
    const readers = await Promise.all([opened(user), opened(user, replica)]);
    const other = await opened(elsewhere);
    sessions.delete(user.sessionId);
    await gateways.invalidate([user.userId]);
    await gateways.publish(userChangedSubject('auth', user.userId));
    for (const reader of readers) {
      await reader.saw({ type: 'sessionEnded' });
      await until('the stream has ended', () => reader.ended());
    }
    const mark = await publishProxy(user);
    await other.saw({ type: 'proxy', id: mark });
    expect(other.ended()).toBe(false);
  });

  it('ends with its session also when that ends while it is being looked at', async () => {
    const user = newUser();
    const elsewhere = { ...user, sessionId: randomUUID() };
    const reader = await opened(user);
    await opened(elsewhere);
    const held = Promise.withResolvers<void>();
    const asked: string[] = [];
    const looksAt = ({ sessionId }: TestUser) => asked.filter((id) => id === sessionId).length;
    await gateways.play('auth.getSession', async (call) => {
      const id = askedSession(call);
      const answer = signedAssertion(sessions.get(id) ?? null);
      asked.push(id);
      if (looksAt(user) === 1 && id === user.sessionId) await held.promise;
      return answer;
    });
    const change = async () => {
      await gateways.invalidate([user.userId]);
      await gateways.publish(userChangedSubject('auth', user.userId));
    };
    await change();
    await until('a look at both', () => asked.length === 2);
    sessions.delete(user.sessionId);
    await change();
    // What tells of one session tells of the other.
    await until('another look', () => looksAt(elsewhere) === 2);
    held.resolve();
    await reader.saw({ type: 'sessionEnded' });
  });

  it('ends late rather than never when the bus has lost that its session did', async () => {
    const hasty = await started({ lookMs: 200 });
    const user = newUser();
    const reader = await opened(user, hasty);
    sessions.delete(user.sessionId);
    await gateways.invalidate([user.userId]);
    await reader.saw({ type: 'sessionEnded' });
  });

  it('outlives that auth is away for a while', async () => {
    const hasty = await started({ lookMs: 100 });
    const user = newUser();
    const reader = await opened(user, hasty);
    let asked = 0;
    await gateways.play('auth.getSession', () => {
      asked += 1;
      return { body: '{}', headers: { 'Error-Code': 'service_unavailable' } };
    });
    await gateways.invalidate([user.userId]);
    await until('auth was asked', () => asked > 1);
    const mark = await publishProxy(user);
    await reader.saw({ type: 'proxy', id: mark });
  });

  it('never counts as use of its session', async () => {
    const user = newUser();
    const received = await gateways.play('auth.getSession', () => signedAssertion(user));
    await opened(user);
    expect(new Set(received.map(({ input }) => (input as { use: boolean }).use))).toEqual(new Set([false]));
  });

  it('gives signs of life', async () => {
    const lively = await started({ heartbeatMs: 50 });
    const reader = await opened(newUser(), lively);
    await until('two of them', () => (reader.text().match(/\n:\n/g)?.length ?? 0) >= 2);
  });

  it('is one of a bounded number, and makes room when it is closed', async () => {
    const small = await started({ inAll: 4 });
    const [user, other] = [newUser(), newUser()];
    const three = [await opened(user, small), await opened(user, small), await opened(user, small)];
    const refused = await read(user, small);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    await opened(other, small);
    expect((await read(newUser(), small)).status).toBe(503);
    three[0]?.close();
    await until('there is room again', async () => (await read(user, small)).status === 200);
  });

  it('is for readers of our own pages', async () => {
    const user = newUser();
    expect((await read(user, gateway, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await read(user, gateway, { origin: 'http://evil.test' })).status).toBe(403);
    expect((await read(user, gateway, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await readLive(gateway.listeningOrigin, '')).status).toBe(401);
    const head = await fetch(`${gateway.listeningOrigin}/api/events`, {
      method: 'HEAD',
      headers: { cookie: cookieOf(user) },
    });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  it('does not hold a gateway that stops, which opens no new one', async () => {
    const stopping = await started();
    const reader = await opened(newUser(), stopping);
    // As browsers do, ahead of what they may need.
    const { port } = new URL(stopping.listeningOrigin);
    await once(connect(Number(port), '127.0.0.1'), 'connect');
    await stopping.close();
    await until('the stream has ended', () => reader.ended());
  });
});
