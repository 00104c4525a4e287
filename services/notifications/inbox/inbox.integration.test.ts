import { randomUUID } from 'node:crypto';
import type { EventName, EventOf, Notification } from '@talpa/contracts';
import {
  appliedSubject,
  commandSubject,
  eventSubject,
  userChangedSubject,
} from '@talpa/service-kit/bus/subjects';
import { giveEmail } from '@talpa/test-kit/emails';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { planSnapshot, proxySnapshot } from '@talpa/test-kit/snapshots';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';
import { notifySome } from '../plans/ends.ts';
import { forgetOld } from '../retention.ts';

const stores = useStores();
const password = 'geheim-genug';
const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
const services = useServices(stores, ['auth', 'notifications']);
type Entity = Extract<EventName, 'proxy' | 'subscription' | 'user'>;

/** Publishes a snapshot, and returns when notifications has it. */
async function publish<N extends Entity>(name: N, snapshot: EventOf<N>): Promise<void> {
  const applied = () => services.received(appliedSubject('notifications', name, String(snapshot.id))).length;
  const before = applied();
  await services.publishStored(eventSubject(name, String(snapshot.id)), snapshot);
  await until('the projection', () => applied() > before);
}

/** Somebody whom notifications knows. */
async function newUser() {
  const username = `u-${randomUUID().slice(0, 12)}`;
  const { id } = await services.call('POST /api/register', null, { username, password });
  await until(
    'the person',
    () => services.received(appliedSubject('notifications', 'user', String(id))).length > 0,
  );
  const actor = actorOf(id);
  const inbox = (input: { state?: 'unread' | 'read'; limit?: number; cursor?: number } = {}) =>
    services.call('GET /api/user/notifications', actor, input);
  const kinds = async () => (await inbox()).map(({ kind }) => kind).toReversed();
  const unread = async () =>
    (await services.call('GET /api/user/notifications/unread-count', actor, {})).unread;
  const suspendedProxy = async () => {
    const proxy = proxySnapshot(id);
    await publish('proxy', proxy);
    const suspension = { reason: 'Spam', since: new Date().toISOString() };
    await publish('proxy', { ...proxy, suspension, version: 2 });
    return { ...proxy, suspension, version: 2 };
  };
  const prefer = async (notifications: object) => {
    const known = () => services.received(appliedSubject('notifications', 'user', String(id))).length;
    const before = known();
    await services.call('POST /api/user/preferences', actor, { notifications });
    await until('the preferences', () => known() > before);
  };
  const newest = async (kind: Notification['kind']) =>
    until(`a notification ${kind}`, async () => (await inbox()).find((one) => one.kind === kind));
  return { id, actor, username, inbox, kinds, unread, suspendedProxy, prefer, newest };
}

describe('a proxy', () => {
  it('that is seen for the first time makes no notification, whatever it is', async () => {
    const person = await newUser();
    const suspension = { reason: 'Spam', since: new Date().toISOString() };
    await publish('proxy', proxySnapshot(person.id, { status: 'error', suspension, version: 7 }));
    expect(await person.kinds()).toEqual([]);
  });

  it('notifies its owner once of each suspension and its end, however often a snapshot comes', async () => {
    const person = await newUser();
    const proxy = await person.suspendedProxy();
    await publish('proxy', proxy);
    await publish('proxy', { ...proxy, version: 3 });
    expect(await person.inbox()).toMatchObject([
      {
        ...{ kind: 'proxy_suspended', topic: 'proxies', level: 'error', readAt: null },
        params: { proxyId: proxy.proxyId, proxy: proxy.serverName, reason: 'Spam' },
      },
    ]);
    await publish('proxy', { ...proxy, suspension: null, version: 4 });
    // An older one changes nothing of what is known.
    await publish('proxy', proxy);
    await publish('proxy', { ...proxy, suspension: null, version: 5 });
    expect(await person.kinds()).toEqual(['proxy_suspended', 'proxy_resumed']);
  });

  it('whose snapshot does not say whether it is suspended makes no notification of that', async () => {
    const person = await newUser();
    const { suspension: _unsaid, ...unsaid } = proxySnapshot(person.id);
    const suspension = { reason: 'Spam', since: new Date().toISOString() };
    await publish('proxy', unsaid as EventOf<'proxy'>);
    await publish('proxy', { ...unsaid, suspension, version: 2 });
    await publish('proxy', { ...unsaid, version: 3 } as EventOf<'proxy'>);
    await publish('proxy', { ...unsaid, suspension, version: 4 });
    expect(await person.kinds()).toEqual([]);
    await publish('proxy', { ...unsaid, suspension: null, version: 5 });
    expect(await person.kinds()).toEqual(['proxy_resumed']);
  });

  it('notifies of an error and its end, and of neither while it is being set up', async () => {
    const person = await newUser();
    const proxy = proxySnapshot(person.id);
    await publish('proxy', { ...proxy, status: 'pending', version: 1 });
    await publish('proxy', { ...proxy, status: 'error', statusReason: 'zone_full', version: 2 });
    await publish('proxy', { ...proxy, status: 'pending', version: 3 });
    await publish('proxy', { ...proxy, status: 'error', statusReason: 'tunnel_refused', version: 4 });
    expect(await person.inbox()).toMatchObject([
      { kind: 'proxy_error', params: { statusReason: 'zone_full' } },
    ]);
    await publish('proxy', { ...proxy, status: 'pending', version: 5 });
    await publish('proxy', { ...proxy, status: 'inactive', version: 6 });
    expect(await person.kinds()).toEqual(['proxy_error', 'proxy_recovered']);
  });

  it('that is deleted makes no notification, and does not come back by an older snapshot', async () => {
    const person = await newUser();
    const proxy = proxySnapshot(person.id);
    await publish('proxy', proxy);
    await publish('proxy', { ...proxy, deleted: true, version: 3 });
    await publish('proxy', { ...proxy, status: 'error', version: 2 });
    expect(await person.kinds()).toEqual([]);
  });

  it('that is the last the plan allows makes a notification when it is created, not when it is found', async () => {
    const person = await newUser();
    await publish('subscription', planSnapshot(person.id, { proxyLimit: 2 }));
    await publish('proxy', proxySnapshot(person.id));
    await publish('proxy', proxySnapshot(person.id, { version: 9 }));
    expect(await person.kinds()).toEqual([]);
    const single = await newUser();
    await publish('subscription', planSnapshot(single.id, { proxyLimit: 1 }));
    await publish('proxy', proxySnapshot(single.id));
    expect(await single.kinds()).toEqual([]);
    const other = await newUser();
    await publish('subscription', planSnapshot(other.id, { proxyLimit: 2 }));
    await publish('proxy', proxySnapshot(other.id));
    const last = proxySnapshot(other.id);
    await publish('proxy', last);
    await publish('proxy', { ...last, status: 'active', version: 2 });
    expect(await other.inbox()).toMatchObject([{ kind: 'limit_reached', params: { limit: 2 } }]);
  });
});

describe('a plan', () => {
  it('that is seen for the first time makes no notification, not even that it has run out', async () => {
    const person = await newUser();
    await publish('subscription', planSnapshot(person.id, { expiresAt: inDays(-1) }));
    await end();
    expect(await person.kinds()).toEqual([]);
  });

  it('notifies that it is another one, renewed, or gone', async () => {
    const person = await newUser();
    const plan = planSnapshot(person.id, { expiresAt: inDays(20) });
    await publish('subscription', plan);
    await publish('subscription', { ...plan, expiresAt: inDays(50), version: 2 });
    await publish('subscription', { ...plan, tier: 'premium', expiresAt: inDays(30), version: 3 });
    await publish('subscription', { ...plan, tier: null, expiresAt: null, version: 4 });
    await publish('subscription', { ...plan, tier: 'free', expiresAt: null, version: 5 });
    expect((await person.inbox()).toReversed()).toMatchObject([
      { kind: 'plan_renewed', params: { plan: 'basic' } },
      { kind: 'plan_changed', params: { from: 'basic', plan: 'premium' } },
      { kind: 'plan_removed', params: { plan: 'premium' } },
      { kind: 'plan_changed', params: { from: null, plan: 'free' } },
    ]);
  });

  it('notifies that it is renewed only if it goes on for longer, even if it had ended', async () => {
    const person = await newUser();
    const plan = planSnapshot(person.id, { expiresAt: inDays(20) });
    await publish('subscription', plan);
    const changes = [
      { proxyLimit: 9 },
      { expiresAt: inDays(10) },
      { expiresAt: null },
      { expiresAt: inDays(5) },
    ];
    for (const [at, change] of changes.entries())
      await publish('subscription', { ...plan, ...change, version: at + 2 });
    expect(await person.kinds()).toEqual([]);
    await publish('subscription', { ...plan, expiresAt: inDays(-1), version: 6 });
    await publish('subscription', { ...plan, version: 7 });
    expect(await person.kinds()).toEqual(['plan_changed', 'plan_renewed']);
  });

  it('notifies once that it ends in three days, and once that it has ended, of each end', async () => {
    const person = await newUser();
    await publish('subscription', planSnapshot(person.id, { expiresAt: inDays(3.1) }));
    await end();
    expect(await person.kinds()).toEqual([]);
    await publish('subscription', planSnapshot(person.id, { expiresAt: inDays(2.9), version: 2 }));
    await end();
    await end();
    expect(await person.kinds()).toEqual(['plan_ending']);
    await services.sql`update notifications.plans set expires_at = now() where user_id = ${person.id}`;
    await end();
    await end();
    expect(await person.kinds()).toEqual(['plan_ending', 'plan_ended']);
    await publish('subscription', planSnapshot(person.id, { expiresAt: inDays(2), version: 3 }));
    await end();
    await services.sql`update notifications.plans set expires_at = now() where user_id = ${person.id}`;
    await end();
    const ofEnds = (await person.kinds()).filter((kind) => /^plan_end(ing|ed)$/.test(kind));
    expect(ofEnds).toEqual(['plan_ending', 'plan_ended', 'plan_ending', 'plan_ended']);
  });

  it('that ends makes one notification with two processes', async () => {
    const users = [await newUser(), await newUser(), await newUser()];
    for (const { id } of users) await publish('subscription', planSnapshot(id, { expiresAt: inDays(1) }));
    await Promise.all([end(), end()]);
    for (const person of users) expect(await person.kinds()).toEqual(['plan_ending']);
  });
});

/** What a process does every minute. */
const end = () => inTransaction(notifySome);

async function inTransaction(work: (tx: never) => Promise<number>): Promise<void> {
  await services.sql.begin(async (sql) => {
    await sql`set local search_path to notifications, public`;
    await work({ sql, invalidate: () => {} } as never);
  });
}

describe('an account', () => {
  it('notifies of its suspension and the end of it, but not of one that was there before', async () => {
    const person = await newUser();
    const user = services.received<EventOf<'user'>>(eventSubject('user', String(person.id))).at(-1);
    if (!user) throw new Error('no snapshot');
    const suspension = { reason: 'Spam', since: new Date().toISOString() };
    await publish('user', { ...user, suspension, version: 2 });
    await publish('user', { ...user, suspension: { ...suspension, reason: 'Mehr Spam' }, version: 3 });
    await publish('user', { ...user, version: 4 });
    expect((await person.inbox()).toReversed()).toMatchObject([
      { kind: 'account_suspended', params: { reason: 'Spam' } },
      { kind: 'account_resumed' },
    ]);
    const found = { ...user, id: user.id + 1_000_000, suspension };
    await publish('user', found);
    expect(await services.call('GET /api/user/notifications', actorOf(found.id), {})).toEqual([]);
  });

  it('that is gone leaves nothing behind, and gets nothing any more', async () => {
    const person = await newUser();
    const proxy = await person.suspendedProxy();
    const known = () => services.received(appliedSubject('notifications', 'user', String(person.id))).length;
    const before = known();
    await services.call('POST /api/user/deletion', person.actor, { password });
    await until('the tombstone', () => known() > before);
    await publish('proxy', { ...proxy, suspension: null, version: 3 });
    await publish('proxy', { ...proxy, suspension: null, deleted: true, version: 4 });
    expect(await person.kinds()).toEqual([]);
    const names = await services.sql`select server_name from notifications.proxies where uuid = ${proxy.id}`;
    expect(names).toEqual([{ serverName: null }]);
  });
});

describe('preferences', () => {
  it('without system messages keep everything out but security', async () => {
    const person = await newUser();
    await person.prefer({ system: false });
    await person.suspendedProxy();
    await services.call('POST /api/user/password', person.actor, {
      currentPassword: password,
      newPassword: password,
    });
    await person.newest('password_changed');
    expect(await person.kinds()).toEqual(['password_changed']);
    await person.prefer({ system: true });
    await person.suspendedProxy();
    expect(await person.kinds()).toEqual(['password_changed', 'proxy_suspended']);
  });
});

describe('the order of an email about security', () => {
  it('is one notification, however often it comes', async () => {
    const person = await newUser();
    const changedAt = new Date().toISOString();
    const order = {
      ...{ id: randomUUID(), userId: person.id, at: changedAt },
      mail: { kind: 'password_changed', params: { changedAt } },
    };
    await services.publishStored(commandSubject('notifications.sendMail'), order);
    await person.newest('password_changed');
    await services.publishStored(commandSubject('notifications.sendMail'), order);
    const test = { ...order, id: randomUUID(), mail: { kind: 'test', params: {} } };
    await services.publishStored(commandSubject('notifications.sendMail'), test);
    await until('the last email', async () => {
      const rows = await services.sql`select 1 from notifications.mails where cause = ${test.id}`;
      return rows.length === 1;
    });
    expect(await person.inbox()).toMatchObject([{ kind: 'password_changed', params: { changedAt } }]);
  });
});

describe('who has no email address', () => {
  it('finds a sign-in with a new browser, and an address that was removed, in the inbox', async () => {
    const person = await newUser();
    const { username } = person;
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const origin = { address: '192.0.2.9', userAgent, device: randomUUID() };
    await services.effects('POST /api/login', null, { username, password }, origin);
    const { params } = await person.newest('new_device');
    expect(params).toMatchObject({ device: 'Firefox, Linux', ipAddress: '192.0.2.9' });
    await giveEmail(services.sql, person.id, `${username}@example.com`);
    await services.call('POST /api/user/preferences', person.actor, { email: '' });
    await person.newest('email_changed');
    expect(await person.kinds()).toEqual(['new_device', 'email_changed']);
  });
});

describe('the inbox', () => {
  it('is read once, and what came later stays unread', async () => {
    const person = await newUser();
    for (let made = 0; made < 3; made += 1) await person.suspendedProxy();
    const [newest, middle] = await person.inbox();
    if (!newest || !middle) throw new Error('there are no notifications');
    await person.suspendedProxy();
    expect(await person.unread()).toBe(4);
    const read = (input: { ids?: number[]; upTo?: number }) =>
      services.call('POST /api/user/notifications/read', person.actor, input);
    expect(await read({ ids: [middle.id] })).toEqual({ unread: 3 });
    const [{ readAt } = { readAt: null }] = await person.inbox({ state: 'read' });
    expect(await read({ upTo: newest.id })).toEqual({ unread: 1 });
    expect(await read({ ids: [middle.id], upTo: newest.id })).toEqual({ unread: 1 });
    expect((await person.inbox({ state: 'read' })).find(({ id }) => id === middle.id)?.readAt).toBe(readAt);
    expect(await person.inbox({ state: 'unread' })).toHaveLength(1);
  });

  it('belongs to its user alone: others neither see nor mark what is in it', async () => {
    const person = await newUser();
    await person.suspendedProxy();
    const [own] = await person.inbox();
    const stranger = actorOf((await newUser()).id, { isAdmin: true });
    expect(await services.call('GET /api/user/notifications', stranger, {})).toEqual([]);
    const input = { ids: [own?.id ?? 0], upTo: Number.MAX_SAFE_INTEGER };
    await services.call('POST /api/user/notifications/read', stranger, input);
    expect(await person.unread()).toBe(1);
  });

  it('notifies open pages when something has come and when it was read, and only then', async () => {
    const person = await newUser();
    const published = () => services.received(userChangedSubject('notifications', person.id)).length;
    await person.suspendedProxy();
    await until('the event', () => published() === 1);
    const [own] = await person.inbox();
    const read = () =>
      services.call('POST /api/user/notifications/read', person.actor, { upTo: own?.id ?? 0 });
    await read();
    await until('the event', () => published() === 2);
    await read();
    await person.suspendedProxy();
    await until('the event', () => published() === 3);
  });

  it('is exported five hundred at once, each once', async () => {
    const person = await newUser();
    const rows = await services.sql<{ id: number }[]>`
      insert into notifications.inbox (cause, user_id, kind, params)
      select gen_random_uuid(), ${person.id}, 'account_resumed', '{}' from generate_series(1, 501) returning id`;
    const part = (after: number | null) =>
      services.ask('notifications.exportInbox', { userId: person.id, after });
    const first = await part(null);
    const second = await part(first.next);
    expect([first.notifications.length, second.next]).toEqual([500, null]);
    const seen = [...first.notifications, ...second.notifications].map(({ id }) => id);
    expect(seen).toEqual(rows.map(({ id }) => id));
    // As many as fit are the last ones.
    await services.sql`delete from notifications.inbox where id = ${seen.at(-1) ?? 0}`;
    expect((await part(null)).next).toBeNull();
  });

  it('counts up to 100 and keeps 90 days', async () => {
    const person = await newUser();
    await services.sql`insert into notifications.inbox (cause, user_id, kind, params, created_at)
      select gen_random_uuid(), ${person.id}, 'account_resumed', '{}', now() - days * interval '1 day'
      from generate_series(1, 120) as days`;
    expect(await person.unread()).toBe(100);
    await inTransaction(forgetOld);
    expect(await person.unread()).toBe(89);
  });
});
