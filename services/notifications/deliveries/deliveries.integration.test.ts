import { randomUUID } from 'node:crypto';
import type { Delivery, EventOf, RequestOf, Routes } from '@talpa/contracts';
import { appliedSubject, eventSubject } from '@talpa/service-kit/bus/subjects';
import type { Sql } from '@talpa/service-kit/database/sql';
import { type Received, startReceiver } from '@talpa/test-kit/receiver';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { proxySnapshot } from '@talpa/test-kit/snapshots';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimDue, storeHandOver } from './sql.ts';

const receiver = await startReceiver();
afterAll(() => receiver.stop());
beforeEach(() => receiver.answer((response) => void response.writeHead(204).end()));
const talpa = useServices(useStores(), ['notifications'], {
  ...{ OUTBOUND_ALLOW: '127.0.0.1/32', PUBLIC_URL: 'https://panel.example.org' },
});
const suspension = { reason: 'Spam', since: new Date().toISOString() };
type NewChannel = RequestOf<Routes['POST /api/user/channels']>;
let users = 100;

/** Somebody with channels to the receiver, each at a path of its own. */
function user() {
  users += 1;
  const actor = actorOf(users);
  const { userId } = actor;
  const create = async (changes: Partial<NewChannel> = {}) => {
    const path = `/${randomUUID()}`;
    const { channel, secret } = await talpa.call('POST /api/user/channels', actor, {
      ...{ kind: 'webhook', name: 'Kanal', topics: ['proxies', 'account', 'security'] },
      url: `http://127.0.0.1:${receiver.port}${path}`,
      ...changes,
    });
    return { ...channel, path, secret: secret ?? '', got: () => receiver.at(path) };
  };
  const deliveries = (id: number) => talpa.call('GET /api/user/channels/:id/deliveries', actor, { id });
  const publish = async (snapshot: EventOf<'proxy'>) => {
    const applied = () => talpa.received(appliedSubject('notifications', 'proxy', snapshot.id)).length;
    const before = applied();
    await talpa.publishStored(eventSubject('proxy', snapshot.id), snapshot);
    await until('the projection', () => applied() > before);
  };
  return {
    ...{ actor, userId, create, deliveries },
    channel: async (id: number) =>
      (await talpa.call('GET /api/user/channels', actor, {})).find((one) => one.id === id),
    inbox: () => talpa.call('GET /api/user/notifications', actor, {}),
    /** Something happens that they are notified of. */
    suspend: async (serverName = 'Vice City') => {
      const proxy = proxySnapshot(userId, { serverName });
      await publish(proxy);
      await publish({ ...proxy, suspension, version: 2 });
    },
    /** Their one delivery to a channel, once it is like this. */
    delivery: (id: number, isLike: (delivery: Delivery) => boolean) =>
      until('a delivery that is like this', async () => {
        const [found] = await deliveries(id);
        return found && isLike(found) && found;
      }),
    secure: () =>
      talpa.sql.begin(async (sql) => {
        await sql`set local search_path to notifications`;
        const { orderDeliveries } = await import('../inbox/order-deliveries.ts');
        const content = { kind: 'factor_added', params: { changedAt: suspension.since } } as const;
        await orderDeliveries({ sql } as never, [{ userId, content }]);
      }),
  };
}

/** The time for the next attempt has come. */
const skipTime = (channelId: number) => talpa.sql`
  update notifications.deliveries set due_at = now() where channel_id = ${channelId} and state = 'queued'`;
const isIn = (state: Delivery['state']) => (delivery: Delivery) => delivery.state === state;
/** Its first attempt has ended. */
const hasFailed = ({ state, attempts }: Delivery) => state !== 'sending' && attempts === 1;
/** @throws Error unless the request is signed with the secret */
const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    data: { title: string };
  };

describe('a webhook', () => {
  it('gets what came into the inbox, once and signed by Standard Webhooks, in the inbox’s words', async () => {
    const anna = user();
    const hook = await anna.create();
    await anna.suspend();
    const delivered = await anna.delivery(hook.id, isIn('delivered'));
    expect(hook.got()).toHaveLength(1);
    const [request] = hook.got();
    if (!request) throw new Error('no request');
    expect(verify(hook.secret, request)).toMatchObject({
      type: 'proxy_suspended',
      data: {
        ...{ topic: 'proxies', level: 'error', title: 'Proxy „Vice City“ gesperrt' },
        ...{ url: expect.stringMatching(/^https:\/\/panel\.example\.org\/tunnel-configuration\/\d+$/) },
        params: { proxy: 'Vice City', reason: 'Spam' },
      },
    });
    expect(request.headers['webhook-id']).toBe(delivered.messageId);
    expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, request)).toThrow();
    const details = await talpa.call('GET /api/user/deliveries/:id', anna.actor, { id: delivered.id });
    expect(details).toMatchObject({ status: 204, attempts: 1, request: request.body, answer: '' });
  });

  it('is signed with both secrets for a day after the secret was replaced', async () => {
    const anna = user();
    const hook = await anna.create();
    const { secret, channel } = await talpa.call('POST /api/user/channels/:id/secret', anna.actor, {
      id: hook.id,
    });
    expect(channel.formerSecretUntil).not.toBeNull();
    await anna.suspend();
    await anna.delivery(hook.id, isIn('delivered'));
    const [first] = hook.got();
    if (!first || !secret) throw new Error('no request');
    verify(secret, first);
    verify(hook.secret, first);
    await talpa.sql`update notifications.channels set former_secret_until = now() where id = ${hook.id}`;
    await anna.suspend();
    await until('the second', () => hook.got().length === 2);
    const second = hook.got()[1] as Received;
    verify(secret, second);
    expect(() => verify(hook.secret, second)).toThrow();
  });

  it('is tried again with the same id after a failure, and given up after the last pause', async () => {
    const anna = user();
    const hook = await anna.create();
    receiver.answer((response) => void response.writeHead(500).end('kaputt'));
    await anna.suspend();
    const pauses: number[] = [];
    const fail = async (attempt: number) => {
      const { nextAttemptAt, stateAt } = await anna.delivery(
        hook.id,
        (one) => one.state === 'queued' && one.attempts === attempt,
      );
      pauses.push(Math.round((Date.parse(nextAttemptAt ?? '') - Date.parse(stateAt)) / 1_000));
    };
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await fail(attempt);
      await skipTime(hook.id);
    }
    expect(pauses).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000]);
    const ended = await anna.delivery(hook.id, isIn('given_up'));
    expect(ended).toMatchObject({ attempts: 7, status: 500, nextAttemptAt: null });
    expect(new Set(hook.got().map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([ended.messageId]),
    );
    expect(await anna.channel(hook.id)).toMatchObject({
      state: 'active',
      last: { isSuccess: false, status: 500 },
    });

    // Its failures are forgotten: it has all attempts again.
    await talpa.call('POST /api/user/deliveries/:id/sending', anna.actor, { id: ended.id });
    await fail(8);
    expect(pauses.at(-1)).toBe(5);
    receiver.answer((response) => void response.writeHead(200).end('ok'));
    await skipTime(hook.id);
    expect(await anna.delivery(hook.id, isIn('delivered'))).toMatchObject({ uncertainAttempts: 0 });
    expect(hook.got().at(-1)?.headers['webhook-id']).toBe(ended.messageId);
  });

  it.each([429, 503])('gets as much time as it asks for with %i', async (status) => {
    const anna = user();
    const hook = await anna.create();
    receiver.answer((response) => void response.writeHead(status, { 'retry-after': '3600' }).end());
    await anna.suspend();
    const { nextAttemptAt, stateAt } = await anna.delivery(
      hook.id,
      ({ attempts, state }) => state === 'queued' && attempts === 1,
    );
    expect(Date.parse(nextAttemptAt ?? '') - Date.parse(stateAt)).toBe(3_600_000);
  });

  it('never gets a redirected request', async () => {
    const anna = user();
    const hook = await anna.create();
    receiver.answer((response) => void response.writeHead(307, { location: '/elsewhere' }).end());
    await anna.suspend();
    expect(await anna.delivery(hook.id, hasFailed)).toMatchObject({ status: 307 });
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  it('at a private address gets nothing', async () => {
    const anna = user();
    const inside = await anna.create({ url: `http://127.0.0.2:${receiver.port}/inside` });
    await anna.suspend();
    expect(await anna.delivery(inside.id, hasFailed)).toMatchObject({
      ...{ status: null, failure: 'address_not_allowed', uncertainAttempts: 0 },
    });
    expect(receiver.at('/inside')).toEqual([]);
  });

  it('that drops the connection after reading gets it again with the same id, and that is counted', async () => {
    const anna = user();
    const hook = await anna.create();
    receiver.answer((response) => response.destroy());
    await anna.suspend();
    await anna.delivery(hook.id, ({ uncertainAttempts }) => uncertainAttempts === 1);
    receiver.answer((response) => void response.writeHead(204).end());
    await skipTime(hook.id);
    await anna.delivery(hook.id, isIn('delivered'));
    expect(new Set(hook.got().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(hook.got()).toHaveLength(2);
  });

  it('gets a message again that a process had when it died, with the same id', async () => {
    const anna = user();
    const hook = await anna.create();
    // As another process that takes it first, hands it over, and is killed.
    const [{ id, messageId }] = await talpa.sql<[{ id: number; messageId: string }]>`
      insert into notifications.deliveries (channel_id, notifications, state, holder, due_at, handed_over, attempts)
      values (${hook.id}, '[]', 'sending', gen_random_uuid(), now() + interval '1 minute', true, 1)
      returning id, message_id`;
    await talpa.sql`update notifications.deliveries set due_at = now() where id = ${id}`;
    expect(await anna.delivery(hook.id, isIn('delivered'))).toMatchObject({
      attempts: 2,
      uncertainAttempts: 1,
    });
    expect(hook.got().map(({ headers }) => headers['webhook-id'])).toEqual([messageId]);
  });

  it('belongs to one process alone until its lease ends', async () => {
    const anna = user();
    const hook = await anna.create();
    await talpa.sql.begin(async (sql) => {
      await sql`set local search_path to notifications`;
      await sql`insert into deliveries (channel_id, notifications, state, holder, due_at, handed_over)
        values (${hook.id}, '[]', 'sending', gen_random_uuid(), now() - interval '1 hour', true)`;
      const claim = () => claimDue(sql as unknown as Sql, { count: 1, isSlow: false });
      expect(await claim()).toMatchObject([{ channelId: hook.id, wasHandedOver: true }]);
      expect(await claim()).toEqual([]);
      await sql`update deliveries set due_at = now() - interval '1 hour' where channel_id = ${hook.id}`;
      const [claimed] = await claim();
      expect(claimed).toMatchObject({ channelId: hook.id, wasHandedOver: false });
      if (!claimed) throw new Error('nothing was claimed');
      const other = { ...claimed, holder: randomUUID() };
      expect(await storeHandOver(sql as unknown as Sql, other, '{}')).toBe(false);
      await sql`update deliveries set due_at = now() where id = ${claimed.id}`;
    });
    await anna.delivery(hook.id, isIn('delivered'));
  });
});

describe('a channel', () => {
  it('gets only the topics it is for, and nothing while it is paused', async () => {
    const anna = user();
    const [all, account] = [await anna.create(), await anna.create({ topics: ['account'] })];
    const pause = (isPaused: boolean) =>
      talpa.call('PUT /api/user/channels/:id', anna.actor, { id: all.id, isPaused });
    await pause(true);
    await anna.suspend('Während der Pause');
    expect(await anna.inbox()).toHaveLength(1);
    await pause(false);
    await anna.suspend('Danach');
    await until('the one after', () => all.got().length > 0);
    expect(all.got().map(({ body }) => JSON.parse(body).data.params.proxy)).toEqual(['Danach']);
    expect(account.got()).toEqual([]);
    expect(await anna.deliveries(account.id)).toEqual([]);
  });

  it('that says it is gone is turned off, and its user is notified', async () => {
    const anna = user();
    const hook = await anna.create({ name: 'Alter Server' });
    receiver.answer((response) => void response.writeHead(410).end());
    await anna.suspend();
    await until('it is off', async () => (await anna.channel(hook.id))?.state === 'gone');
    const params = { channel: 'Alter Server' };
    expect(await anna.inbox()).toMatchObject([{ kind: 'channel_gone', params }, {}]);
    await anna.suspend();
    expect(hook.got()).toHaveLength(1);
  });

  it('is turned off by the third lost message after three days of failures alone, but not before, after a success, or by one that is lost after a quiet time', async () => {
    const anna = user();
    const hook = await anna.create();
    const fail = async () => {
      await anna.suspend();
      await until('an attempt', async () => (await anna.deliveries(hook.id)).slice(0, 1).some(hasFailed));
    };
    const failingFor = (time: string) => talpa.sql`
      update notifications.channels set failing_since = now() - ${time}::interval where id = ${hook.id}`;
    receiver.answer((response) => void response.writeHead(500).end());
    await fail();
    await failingFor('71 hours');
    await fail();
    expect(await anna.channel(hook.id)).toMatchObject({ state: 'active' });
    receiver.answer((response) => void response.writeHead(204).end());
    await anna.suspend();
    await anna.delivery(hook.id, isIn('delivered'));
    expect(await talpa.sql`select failing_since from notifications.channels where id = ${hook.id}`).toEqual([
      { failingSince: null },
    ]);
    receiver.answer((response) => void response.writeHead(500).end());
    await fail();
    await failingFor('73 hours');
    for (const lost of [1, 2, 3]) {
      await fail();
      expect(await anna.channel(hook.id)).toMatchObject({ state: 'active' });
      await talpa.sql`
        update notifications.deliveries set failures = 20, due_at = now() where id = (
          select max(id) from notifications.deliveries where channel_id = ${hook.id} and state = 'queued')`;
      const isLost = async () => (await anna.deliveries(hook.id)).filter(isIn('given_up')).length === lost;
      await until('it is lost', isLost);
    }
    await until('it is off', async () => (await anna.channel(hook.id))?.state === 'failing');
    expect((await anna.inbox())[0]).toMatchObject({ kind: 'channel_failing' });
    expect((await anna.deliveries(hook.id)).some(isIn('queued'))).toBe(false);
    await talpa.call('PUT /api/user/channels/:id', anna.actor, { id: hook.id, isPaused: false });
    expect(await anna.channel(hook.id)).toMatchObject({ state: 'active' });
  });

  it('of people gets what comes within a minute as one message, and security at once by itself', async () => {
    const anna = user();
    const path = `/${randomUUID()}`;
    const ntfy = await anna.create({
      ...{ kind: 'ntfy', topic: 'talpa', token: 'tk_geheim' },
      url: `http://127.0.0.1:${receiver.port}${path}`,
    });
    await anna.suspend('Vice City');
    await anna.suspend('Küstenwache');
    await anna.secure();
    await until('the one about security', () => receiver.at(path).length === 1);
    expect(JSON.parse(receiver.at(path)[0]?.body ?? '')).toMatchObject({
      title: 'Authenticator-App eingerichtet',
    });
    await skipTime(ntfy.id);
    await until('the others', () => receiver.at(path).length === 2);
    const [, { headers, body }] = receiver.at(path) as [Received, Received];
    expect(headers.authorization).toBe('Bearer tk_geheim');
    expect(JSON.parse(body).message).toMatch(/Proxy „Vice City“ gesperrt[\s\S]*Proxy „Küstenwache“ gesperrt/);
  });

  it('gets nothing in its user’s quiet hours but what concerns security, and all of it after', async () => {
    const anna = user();
    const hook = await anna.create();
    const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    const quiet = { from: clock(-1), to: clock(2), timeZone: 'UTC' };
    await talpa.sql`
      insert into notifications.users (user_id, username, version, quiet_hours)
      values (${anna.userId}, 'anna', 1, ${talpa.sql.json(quiet)})`;
    await anna.suspend();
    const waiting = await anna.delivery(
      hook.id,
      ({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? '') > Date.now() + 3_600_000,
    );
    expect(waiting.attempts).toBe(0);
    await anna.secure();
    await until('the one about security', () => hook.got().length === 1);
    await talpa.sql`update notifications.users set quiet_hours = null where user_id = ${anna.userId}`;
    await skipTime(hook.id);
    await until('the other', () => hook.got().length === 2);
    expect(hook.got().map(({ body }) => JSON.parse(body).type)).toEqual(['factor_added', 'proxy_suspended']);
  });

  it('that cannot be read keeps no notification from the inbox', async () => {
    const anna = user();
    const hook = await anna.create();
    await talpa.sql`update notifications.channels set key_id = 'lost' where id = ${hook.id}`;
    await anna.suspend();
    expect(await anna.inbox()).toHaveLength(1);
    expect(await anna.delivery(hook.id, ({ failure }) => failure !== null)).toMatchObject({
      failure: 'unwritten',
    });
  });
});

describe('receivers that hang', () => {
  afterEach(() => receiver.drop());
  const hang = (held: Set<string>) =>
    receiver.answer((response, { path }) => {
      if (!held.has(path)) response.writeHead(204).end();
    });

  it('take only a few places, however many channels their user has', async () => {
    const [slow, quick] = [user(), user()];
    const hooks = [];
    for (let made = 0; made < 10; made += 1) hooks.push(await slow.create());
    hang(new Set(hooks.map(({ path }) => path)));
    await slow.suspend();
    const hook = await quick.create();
    await quick.suspend();
    await quick.delivery(hook.id, isIn('delivered'));
    expect(hooks.filter(({ got }) => got().length > 0).length).toBeLessThanOrEqual(2);
  });

  it('delay no other channel once they are known, however many users have them', async () => {
    const slow = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const one = user();
        return { one, hook: await one.create() };
      }),
    );
    await talpa.sql`
      update notifications.channels set is_slow = true where id in ${talpa.sql(slow.map(({ hook }) => hook.id))}`;
    hang(new Set(slow.map(({ hook }) => hook.path)));
    await Promise.all(slow.map(({ one }) => one.suspend()));
    const quick = user();
    const hook = await quick.create();
    await quick.suspend();
    await quick.delivery(hook.id, isIn('delivered'));
    expect(slow.filter(({ hook: { got } }) => got().length > 0).length).toBeLessThanOrEqual(4);
  });
});
