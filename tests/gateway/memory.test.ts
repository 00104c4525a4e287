import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ReceivedCall, signedSession, useGateways } from '../kit/gateway.ts';
import { useStores } from '../kit/stores.ts';

const test = useStores();
const gateways = useGateways(() => test.stores);

/** Two replicas: what one remembers must not outlive what was written through the other. */
let gateway: FastifyInstance;
let replica: FastifyInstance;
let asked: ReceivedCall[];
let stored = 1;
let actor = { userId: 0, isAdmin: false, sessionId: '' };
let cookie = '';

const answered = (value: unknown) => ({ body: JSON.stringify(value) });
const limitSeen = async (from = gateway) =>
  (await from.inject({ url: '/api/user/subscription', headers: { cookie } })).json().proxyLimit;

beforeAll(async () => {
  [gateway, replica] = await Promise.all([gateways.start(), gateways.start()]);
});
beforeEach(async () => {
  actor = { userId: Math.ceil(Math.random() * 1e9), isAdmin: false, sessionId: randomUUID() };
  cookie = `talpa_session=${signedSession(actor)}`;
  await gateways.drop(['everybody']);
  await gateways.play('auth.getSession', () => answered(actor));
  asked = await gateways.play('billing.getSubscription', () => answered({ proxyLimit: stored }));
});

describe('a remembered answer', () => {
  it('costs no call, and is gone on every replica as soon as something is written', async () => {
    stored = 1;
    for (let i = 0; i < 3; i += 1) expect([await limitSeen(), await limitSeen(replica)]).toEqual([1, 1]);
    expect(asked).toHaveLength(2);
    stored = 2;
    await gateways.drop([actor.userId]);
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
    await gateways.drop([actor.userId]);
    release();
    expect(await overtaken).toBe(1);
    await gateways.play('billing.getSubscription', () => answered({ proxyLimit: 2 }));
    expect(await limitSeen()).toBe(2);
  });

  it('is nobody else’s', async () => {
    stored = 5;
    expect(await limitSeen()).toBe(5);
    const other = { userId: actor.userId + 1, isAdmin: false, sessionId: randomUUID() };
    await gateways.play('auth.getSession', () => answered(other));
    stored = 6;
    const response = await gateway.inject({
      url: '/api/user/subscription',
      headers: { cookie: `talpa_session=${signedSession(other)}` },
    });
    expect(response.json().proxyLimit).toBe(6);
  });

  it('for everybody is shared, and ends for everybody', async () => {
    let totalUsers = 1;
    const totals = await gateways.play('stats.getTotals', () => answered({ totalUsers }));
    const seen = async () =>
      (await gateway.inject({ url: '/api/system/stats', headers: { cookie } })).json().totalUsers;
    await seen();
    const other = { userId: actor.userId + 1, isAdmin: false, sessionId: randomUUID() };
    await gateways.play('auth.getSession', () => answered(other));
    cookie = `talpa_session=${signedSession(other)}`;
    expect(await seen()).toBe(1);
    expect(totals).toHaveLength(1);
    totalUsers = 2;
    await gateways.drop(['everybody']);
    expect(await seen()).toBe(2);
  });

  it('does not answer the ping, whose time is to be measured', async () => {
    const users = await gateways.play('auth.getUser', () => answered({ id: actor.userId }));
    for (const nocache of ['1', '1', '2'])
      await gateway.inject({ url: `/api/user?nocache=${nocache}`, headers: { cookie } });
    expect(users).toHaveLength(3);
  });
});

describe('a session', () => {
  it('that has ended is signed out on every replica at once', async () => {
    await limitSeen();
    await limitSeen(replica);
    await gateways.play('auth.getSession', () => answered(null));
    await gateways.drop([actor.userId]);
    for (const from of [gateway, replica]) {
      const response = await from.inject({ url: '/api/user/subscription', headers: { cookie } });
      expect(response.statusCode).toBe(401);
    }
  });

  it('tells auth of its use, but not when it is the ping', async () => {
    const sessions = await gateways.play('auth.getSession', () => answered(actor));
    await gateways.play('auth.getUser', () => answered({ id: actor.userId }));
    await gateway.inject({ url: '/api/user?nocache=1', headers: { cookie } });
    await gateway.inject({ url: '/api/user?nocache=2', headers: { cookie } });
    await limitSeen();
    await gateway.inject({ url: '/api/user?nocache=3', headers: { cookie } });
    expect(sessions.map((call) => (call.input as { use: boolean }).use)).toEqual([false, true]);
  });

  it('lets nobody have the admin remote’s files who is no administrator', async () => {
    const file = (headers: Record<string, string> = { cookie }) =>
      gateway.inject({ url: '/remotes/admin/mf-manifest.json', headers });
    expect((await file({})).statusCode).toBe(404);
    expect((await file()).statusCode).toBe(404);
    await gateways.play('auth.getSession', () => answered({ ...actor, isAdmin: true }));
    await gateways.drop([actor.userId]);
    expect((await file()).statusCode).toBe(200);
  });
});
