import { randomUUID } from 'node:crypto';
import type { EventName, EventOf, NotificationContent, RequestOf, Routes } from '@talpa/contracts';
import { appliedSubject, eventSubject } from '@talpa/service-kit/bus/subjects';
import { notificationSamples } from '@talpa/test-kit/notifications';
import { type Received, startReceiver } from '@talpa/test-kit/receiver';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { planSnapshot, proxySnapshot } from '@talpa/test-kit/snapshots';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertNotifications } from '../inbox/insert.ts';

const receiver = await startReceiver();
afterAll(() => receiver.stop());
beforeEach(() => receiver.answer((response) => void response.writeHead(204).end()));
const talpa = useServices(useStores(), ['notifications'], {
  ...{ OUTBOUND_ALLOW: '127.0.0.1/32', PUBLIC_URL: 'https://panel.example.org' },
});
const admin = actorOf(1, { isAdmin: true });
const suspension = { reason: 'Spam', since: new Date().toISOString() };
const everything = ['proxies', 'account', 'security', 'announcements', 'users'] as const;
let users = 100;

async function publish<N extends Extract<EventName, 'user' | 'proxy' | 'subscription'>>(
  name: N,
  snapshot: EventOf<N>,
) {
  const applied = () => talpa.received(appliedSubject('notifications', name, String(snapshot.id))).length;
  const before = applied();
  await talpa.publishStored(eventSubject(name, String(snapshot.id)), snapshot);
  await until('the projection', () => applied() > before);
}
const userSnapshot = (id: number, changes: Partial<EventOf<'user'>> = {}): EventOf<'user'> => ({
  ...{ id, username: `anna${id}`, isAdmin: false, createdAt: new Date().toISOString(), suspension: null },
  // They want no notification at all.
  ...{ notifications: { email: false, system: false, maintenance: false }, version: 1, deleted: false },
  ...changes,
});
async function newUser(changes: Partial<EventOf<'user'>> = {}) {
  users += 1;
  const user = userSnapshot(users, changes);
  await publish('user', user);
  return user;
}

type NewChannel = RequestOf<Routes['POST /api/admin/channels']>;
async function newChannel(changes: Partial<NewChannel> = {}) {
  const path = `/${randomUUID()}`;
  const { channel, secret } = await talpa.call('POST /api/admin/channels', admin, {
    ...{ kind: 'webhook', name: 'Statusseite', topics: [...everything] },
    url: `http://127.0.0.1:${receiver.port}${changes.kind === 'ntfy' ? '' : path}`,
    ...changes,
  });
  const got = () => receiver.at(path);
  const events = () => got().map(({ body }) => JSON.parse(body));
  return {
    ...{ ...channel, secret: secret ?? '', got, events },
    types: (count: number) =>
      until(
        `${count} messages`,
        () =>
          got().length >= count &&
          events()
            .map(({ type }) => type)
            .toSorted(),
      ),
    now: async () =>
      (await talpa.call('GET /api/admin/channels', admin, {})).find(({ id }) => id === channel.id),
  };
}
const storedOf = async (id: number) =>
  JSON.stringify(
    await talpa.sql`select notifications, request, answer from notifications.deliveries where channel_id = ${id}`,
  );
/** Puts something into inboxes, as the service does. */
const notify = (userId: number, content: NotificationContent, cause: string = randomUUID()) =>
  talpa.sql.begin(async (sql) => {
    await sql`set local search_path to notifications`;
    const tx = { sql, invalidate: () => {} } as never;
    await insertNotifications(tx, [{ userId, cause, content }]);
  });
afterEach(async () => {
  for (const { id } of await talpa.call('GET /api/admin/channels', admin, {}))
    await talpa.call('DELETE /api/admin/channels/:id', admin, { id });
});

describe('a channel of the installation', () => {
  it('gets what happens to users, whatever they want to be notified of, signed and with who they are', async () => {
    const anna = await newUser();
    const hook = await newChannel();
    const proxy = proxySnapshot(anna.id, { serverName: 'Vice City' });
    await publish('proxy', proxy);
    await publish('proxy', { ...proxy, suspension, version: 2 });
    await publish('subscription', planSnapshot(anna.id));
    await publish('subscription', planSnapshot(anna.id, { tier: 'premium', version: 2 }));
    expect(await hook.types(3)).toEqual(['plan_changed', 'proxy_created', 'proxy_suspended']);
    const request = hook.got().find(({ body }) => body.includes('proxy_suspended')) as Received;
    const verified = new Webhook(hook.secret).verify(request.body, request.headers as Record<string, string>);
    expect(verified).toMatchObject({
      type: 'proxy_suspended',
      data: {
        ...{ topic: 'proxies', level: 'error', title: 'Proxy „Vice City“ gesperrt' },
        text: `Benutzer: ${anna.username}. Grund: Spam`,
        url: `https://panel.example.org/tunnel-configuration/${proxy.proxyId}`,
        user: { id: anna.id, name: anna.username },
      },
    });
    const inbox = await talpa.call('GET /api/user/notifications', actorOf(anna.id), {});
    expect(inbox).toEqual([]);
  });

  it('gets each new and deleted user and proxy, but none that was there before', async () => {
    const hook = await newChannel({ topics: ['users', 'proxies'] });
    await newUser({ createdAt: '2026-01-01T00:00:00.000Z', version: 7 });
    await publish('proxy', proxySnapshot(users, { createdAt: '2026-01-01T00:00:00.000Z', version: 3 }));
    const ben = await newUser();
    const proxy = proxySnapshot(ben.id, { serverName: 'Küstenwache' });
    await publish('proxy', proxy);
    await publish('proxy', { ...proxy, serverName: '', deleted: true, version: 2 });
    expect(await hook.types(3)).toEqual(['proxy_created', 'proxy_deleted', 'user_created']);
    expect(hook.events().find(({ type }) => type === 'proxy_deleted').data).toMatchObject({
      title: 'Proxy „Küstenwache“ gelöscht',
      user: { id: ben.id, name: ben.username },
    });
    await publish('user', { ...ben, username: '', deleted: true, version: 2 });
    await hook.types(4);
    expect(hook.events().at(-1)).toMatchObject({
      type: 'user_deleted',
      data: { title: `Benutzer Nr. ${ben.id} gelöscht`, user: { id: ben.id, name: null } },
    });
  });

  it('keeps nothing about a deleted user, and still sends what the same message says of others', async () => {
    const [anna, ben] = [await newUser(), await newUser()];
    const hook = await newChannel({ topics: ['proxies'] });
    const ntfy = await newChannel({ kind: 'ntfy', topic: 'talpa', topics: ['proxies'] });
    for (const { id } of [anna, ben]) await notify(id, notificationSamples.proxy_resumed);
    await hook.types(2);
    const before = await talpa.call('GET /api/admin/channels/:id/deliveries', admin, { id: ntfy.id });
    expect(before.map(({ notifications }) => notifications.map(({ userId }) => userId))).toEqual([
      [anna.id, ben.id],
    ]);
    // As after an attempt whose receiver repeated what it got.
    await talpa.sql`
      update notifications.deliveries set request = notifications::text, answer = notifications::text
      where channel_id = ${ntfy.id}`;
    await publish('user', { ...anna, username: '', deleted: true, version: 2 });
    const kept = `${await storedOf(hook.id)}${await storedOf(ntfy.id)}`;
    expect(kept).not.toContain(anna.username);
    expect(kept).toContain(ben.username);
    const after = await talpa.call('GET /api/admin/channels/:id/deliveries', admin, { id: ntfy.id });
    expect(after.map(({ notifications }) => notifications.map(({ userId }) => userId))).toEqual([[ben.id]]);
    // What comes late about somebody who is gone is not sent.
    await notify(anna.id, notificationSamples.proxy_resumed);
    expect(await storedOf(hook.id)).not.toContain(`"userId":${anna.id}`);
  });

  it('gets neither devices nor IP addresses of users', async () => {
    const anna = await newUser();
    const hook = await newChannel({ topics: ['security'] });
    await notify(anna.id, notificationSamples.new_device);
    await hook.types(1);
    const { device, ipAddress } = notificationSamples.new_device.params;
    for (const hidden of [device, ipAddress]) {
      expect(hook.got()[0]?.body).not.toContain(hidden);
      expect(await storedOf(hook.id)).not.toContain(hidden);
    }
    expect(hook.events()[0].data.params).toEqual({
      signedInAt: notificationSamples.new_device.params.signedInAt,
    });
  });

  it('gets an announcement once, however many users do', async () => {
    for (let made = 0; made < 3; made += 1) await newUser();
    const hook = await newChannel({ topics: ['announcements', 'users'] });
    const { id } = await talpa.call('POST /api/admin/announcements', admin, {
      ...{ level: 'warning', titleDe: 'Wartung', textDe: 'Am Samstag.' },
      ...{ titleEn: 'Maintenance', textEn: 'On Saturday.' },
      ...{ startsAt: new Date(Date.now() - 60_000).toISOString(), endsAt: '2098-12-05T06:00:00.000Z' },
    });
    await hook.types(1);
    await newUser();
    expect(await hook.types(2)).toEqual(['announcement', 'user_created']);
    expect(hook.events()[0]).toMatchObject({ data: { title: 'Wartung', level: 'warning', user: null } });
    await talpa.call('POST /api/admin/announcements/:id/end', admin, { id });
  });

  it('an announcement ends whatever its messages do meanwhile: none is left empty', async () => {
    const hook = await newChannel({ topics: ['account'] });
    const { id } = await talpa.call('POST /api/admin/announcements', admin, {
      ...{ level: 'warning', titleDe: 'Wartung', textDe: 'Am Samstag.' },
      ...{ titleEn: 'Maintenance', textEn: 'On Saturday.' },
      ...{ startsAt: new Date(Date.now() - 60_000).toISOString(), endsAt: '2098-12-05T06:00:00.000Z' },
    });
    const insert = async (state: string) => {
      const [row] = await talpa.sql<[{ id: number }]>`
        insert into notifications.deliveries (channel_id, notifications, state, due_at, holder) values (${hook.id},
          ${talpa.sql.json([{ kind: 'announcement', params: { announcementId: id } }])}, ${state}, now() + interval '1 hour',
          ${state === 'sending' ? randomUUID() : null})
        returning id`;
      return row.id;
    };
    const [waiting, sent] = [await insert('queued'), await insert('sending')];
    let ended: Promise<unknown> | undefined;
    // An attempt fails while the end waits for another message.
    await talpa.sql.begin(async (sql) => {
      await sql`select from notifications.deliveries where id = ${waiting} for update`;
      ended = talpa.call('POST /api/admin/announcements/:id/end', admin, { id });
      await until('the end to wait', async () => {
        const [blocked] = await talpa.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return blocked !== undefined;
      });
      await sql`update notifications.deliveries set state = 'queued', holder = null where id = ${sent}`;
    });
    await ended;
    const left = await talpa.sql`select id from notifications.deliveries where channel_id = ${hook.id}`;
    expect(left).toEqual([{ id: sent }]);
  });

  it('that is gone is turned off, and administrators are notified, other channels of the installation once', async () => {
    const admins = [await newUser({ isAdmin: true }), await newUser({ isAdmin: true })];
    const [hook, other] = [
      await newChannel({ name: 'Alter Server' }),
      await newChannel({ topics: ['account'] }),
    ];
    receiver.answer(
      (response, { path }) =>
        void response.writeHead(hook.got().some((one) => one.path === path) ? 410 : 204).end(),
    );
    await talpa.call('POST /api/admin/channels/:id/test', admin, { id: hook.id });
    await until('it is off', async () => (await hook.now())?.state === 'gone');
    expect(await other.types(1)).toEqual(['installation_channel_gone']);
    expect(other.events()[0].data).toMatchObject({
      title: 'Kanal der Installation „Alter Server“ ausgeschaltet',
      url: 'https://panel.example.org/admin/channels',
      user: null,
    });
    // Those want no notifications of the system.
    for (const { id } of admins)
      expect(await talpa.call('GET /api/user/notifications', actorOf(id), {})).toEqual([]);
    const wanting = await newUser({
      isAdmin: true,
      notifications: { email: false, system: true, maintenance: true },
    });
    await talpa.call('PUT /api/admin/channels/:id', admin, { id: hook.id, isPaused: false });
    await talpa.call('POST /api/admin/channels/:id/test', admin, { id: hook.id });
    await until('they are notified', async () => {
      const inbox = await talpa.call('GET /api/user/notifications', actorOf(wanting.id), {});
      return inbox[0]?.kind === 'installation_channel_gone';
    });
  });

  it('is no user’s: in no list, call or export of one, not even of the administrator who made it', async () => {
    const { id } = await newChannel();
    const sent = await talpa.call('POST /api/admin/channels/:id/test', admin, { id });
    expect(await talpa.call('GET /api/user/channels', admin, {})).toEqual([]);
    const exported = await talpa.ask('notifications.exportChannels', { userId: admin.userId, after: null });
    expect(exported).toMatchObject({ channels: [], deliveries: [] });
    const missing = { code: 'not_found' };
    await expect(talpa.call('DELETE /api/user/channels/:id', admin, { id })).rejects.toMatchObject(missing);
    await expect(talpa.call('GET /api/user/deliveries/:id', admin, { id: sent.id })).rejects.toMatchObject(
      missing,
    );
    const other = actorOf(2, { isAdmin: true });
    expect(await talpa.call('GET /api/admin/channels', other, {})).toMatchObject([{ id }]);
    const details = await until('the test', async () => {
      const found = await talpa.call('GET /api/admin/deliveries/:id', other, { id: sent.id });
      return found.state === 'delivered' && found;
    });
    expect(JSON.parse(details.request ?? '')).toMatchObject({
      type: 'test',
      data: { url: 'https://panel.example.org/admin/channels' },
    });
    const own = await talpa.call('POST /api/user/channels', admin, {
      ...{ kind: 'webhook', name: 'Eigener', topics: ['proxies'], url: 'https://hooks.invalid' },
    });
    await expect(
      talpa.call('DELETE /api/admin/channels/:id', admin, { id: own.channel.id }),
    ).rejects.toMatchObject(missing);
  });
});

it('a cause makes one notification and one message of its user, however often it is seen', async () => {
  const { id } = await newUser({ notifications: { email: false, system: true, maintenance: true } });
  const { channel } = await talpa.call('POST /api/user/channels', actorOf(id), {
    ...{
      kind: 'webhook',
      name: 'Kanal',
      topics: ['proxies'],
      url: `http://127.0.0.1:${receiver.port}/einmal`,
    },
  });
  const cause = randomUUID();
  for (const one of [cause, cause, randomUUID()])
    await notify(id, { kind: 'limit_reached', params: { limit: 2 } }, one);
  expect(await talpa.call('GET /api/user/notifications', actorOf(id), {})).toHaveLength(2);
  expect(
    await talpa.sql`select 1 from notifications.deliveries where channel_id = ${channel.id}`,
  ).toHaveLength(2);
});
