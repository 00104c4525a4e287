import { issuesOf, type RequestOf, type Routes, routes } from '@talpa/contracts';
import { eventSubject } from '@talpa/service-kit/bus/subjects';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const talpa = useServices(useStores(), ['notifications']);
let users = 500;
const newActor = () => {
  users += 1;
  return actorOf(users);
};
type Given = RequestOf<Routes['POST /api/user/channels']>;
const common = { name: 'Kanal', topics: ['proxies'] } satisfies Partial<Given>;
const webhook: Given = { ...common, kind: 'webhook', url: 'https://hooks.invalid/geheimer-pfad' };
const discord = 'https://discord.com/api/webhooks/123/abc-DEF_1';
const token = '123456:ABCdefGHIjklMNOpqrsTUVwxyz';

it.each<Given>([
  webhook,
  { ...common, kind: 'discord', url: discord },
  { ...common, kind: 'discord', url: 'https://ptb.discord.com/api/v10/webhooks/123/abc' },
  { ...common, kind: 'ntfy', url: 'https://ntfy.invalid', topic: 'geheimes-thema' },
  { ...common, kind: 'telegram', token, chat: '@geheimer_kanal' },
])('takes a channel: %j', async (given) => {
  const actor = newActor();
  const { channel, secret } = await talpa.call('POST /api/user/channels', actor, given);
  expect(channel).toMatchObject({ ...common, kind: given.kind, state: 'active', last: null });
  expect(secret).toEqual(given.kind === 'webhook' ? expect.stringMatching(/^whsec_[\w+/]{43}=$/) : null);
  expect(await talpa.call('GET /api/user/channels', actor, {})).toEqual([channel]);
});

it.each<[object, string]>([
  [{ kind: 'webhook', url: undefined }, 'required'],
  [{ kind: 'discord', url: 'https://discord.com.evil.example/api/webhooks/1/a' }, 'discordUrl'],
  [{ kind: 'discord', url: 'https://evil.example/discord.com/api/webhooks/1/a' }, 'discordUrl'],
  [{ kind: 'discord', url: 'http://discord.com/api/webhooks/1/a' }, 'discordUrl'],
  [{ kind: 'discord', url: 'https://discord.com/api/webhooks/1/a?wait=true' }, 'discordUrl'],
  [{ kind: 'discord', url: 'https://discord.com/api/webhooks/1/../../users/@me' }, 'discordUrl'],
  [{ kind: 'ntfy', url: 'https://ntfy.invalid' }, 'required'],
  [{ kind: 'telegram', token: '1:x/../y', chat: '1' }, 'telegramToken'],
])('refuses %j', async (given, key) => {
  await expect(
    talpa.call('POST /api/user/channels', newActor(), { ...common, ...given } as Given),
  ).rejects.toMatchObject({ code: 'invalid_input', issues: [{ key }] });
});

it.each<[object, string]>([
  [{ kind: 'webhook', url: 'ftp://hooks.invalid' }, 'channelUrl'],
  [{ kind: 'webhook', url: 'https:\\\\name:password@hooks.invalid' }, 'channelUrl'],
  [{ kind: 'webhook', url: 'https://hooks.invalid\\@name' }, 'channelUrl'],
  [{ kind: 'webhook', url: 'hooks.invalid' }, 'channelUrl'],
  [{ kind: 'webhook', url: 'https://name:password@hooks.invalid' }, 'channelUrl'],
  [{ kind: 'ntfy', url: 'https://ntfy.invalid', topic: 'a/b' }, 'ntfyTopic'],
  [{ kind: 'telegram', token, chat: 'kein Chat' }, 'telegramChat'],
  [{ kind: 'webhook', url: webhook.url, topics: [] }, 'required'],
])('refuses the input %j', (given, key) => {
  const { error } = routes['POST /api/user/channels'].input.safeParse({ ...common, ...given });
  expect(error && issuesOf(error)).toMatchObject([{ key }]);
});

it('allows ten channels each, also when they are created at the same time', async () => {
  const actor = newActor();
  const made = await Promise.allSettled(
    Array.from({ length: 12 }, () => talpa.call('POST /api/user/channels', actor, webhook)),
  );
  const refused = made.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(2);
  expect(refused[0]).toMatchObject({ reason: { code: 'channel_limit' } });
});

it('is nobody’s but its user’s, an administrator’s neither', async () => {
  const owner = newActor();
  const { channel } = await talpa.call('POST /api/user/channels', owner, webhook);
  const { id } = channel;
  const sent = await talpa.call('POST /api/user/channels/:id/test', owner, { id });
  for (const stranger of [newActor(), actorOf(1, { isAdmin: true })]) {
    const refused = expect.objectContaining({ code: 'not_found' });
    await expect(talpa.call('PUT /api/user/channels/:id', stranger, { id })).rejects.toEqual(refused);
    await expect(talpa.call('DELETE /api/user/channels/:id', stranger, { id })).rejects.toEqual(refused);
    await expect(talpa.call('POST /api/user/channels/:id/test', stranger, { id })).rejects.toEqual(refused);
    await expect(talpa.call('POST /api/user/channels/:id/secret', stranger, { id })).rejects.toEqual(refused);
    await expect(talpa.call('GET /api/user/channels/:id/deliveries', stranger, { id })).rejects.toEqual(
      refused,
    );
    await expect(talpa.call('GET /api/user/deliveries/:id', stranger, { id: sent.id })).rejects.toEqual(
      refused,
    );
    await expect(
      talpa.call('POST /api/user/deliveries/:id/sending', stranger, { id: sent.id }),
    ).rejects.toEqual(refused);
  }
});

it('stores no address, token or secret in the clear, and lets none into a message of ours or an export', async () => {
  const actor = newActor();
  const { channel, secret } = await talpa.call('POST /api/user/channels', actor, webhook);
  const url = `${webhook.url}-geheimer-zweiter`;
  await talpa.call('PUT /api/user/channels/:id', actor, { id: channel.id, url });
  await talpa.call('POST /api/user/channels', actor, {
    ...common,
    kind: 'telegram',
    token,
    chat: '@geheimer_kanal',
  });
  const rows = await talpa.sql`
    select channels::text, encode(secret, 'escape') as bytes from notifications.channels where user_id = ${actor.userId}`;
  const exported = await talpa.ask('notifications.exportChannels', { userId: actor.userId, after: null });
  expect(exported.channels).toHaveLength(2);
  const trail = () =>
    talpa
      .received('audit.notifications')
      .map((row) => JSON.stringify(row))
      .filter((row) => row.includes(`"subjectUserId":${actor.userId}`));
  await until('the audit rows', () => trail().length >= 3);
  const said = JSON.stringify([rows, exported, trail()]);
  for (const hidden of ['geheimer', token, secret?.slice(6) ?? '']) expect(said).not.toContain(hidden);
});

it('moves to another server without the token of the one before', async () => {
  const actor = newActor();
  const { channel } = await talpa.call('POST /api/user/channels', actor, {
    ...{ ...common, kind: 'ntfy', url: 'https://ntfy.invalid', topic: 'talpa', token: 'tk_geheim' },
  });
  const { openKeyRing } = await import('@talpa/service-kit/key-ring');
  const { unsealTarget } = await import('./target.ts');
  const targetNow = async () => {
    const [row] = await talpa.sql<[{ secret: Buffer; keyId: string }]>`
      select secret, key_id from notifications.channels where id = ${channel.id}`;
    return unsealTarget(openKeyRing(talpa.keyRing), channel.id, row);
  };
  await talpa.call('PUT /api/user/channels/:id', actor, { id: channel.id, topic: 'anderes' });
  expect(await targetNow()).toEqual({ url: 'https://ntfy.invalid', topic: 'anderes', token: 'tk_geheim' });
  await talpa.sql`
    update notifications.channels set failing_since = now(), lost_in_row = 2, is_slow = true where id = ${channel.id}`;
  const moved = await talpa.call('PUT /api/user/channels/:id', actor, {
    id: channel.id,
    url: 'https://other.invalid',
  });
  expect(moved.host).toBe('other.invalid');
  expect(await targetNow()).toEqual({ url: 'https://other.invalid', topic: 'anderes' });
  // What the one before did is not held against it.
  expect(
    await talpa.sql`select failing_since, lost_in_row, is_slow from notifications.channels where id = ${channel.id}`,
  ).toEqual([{ failingSince: null, lostInRow: 0, isSlow: false }]);
});

it('ends with its user, with all that was sent', async () => {
  const actor = newActor();
  const { channel } = await talpa.call('POST /api/user/channels', actor, webhook);
  await talpa.call('POST /api/user/channels/:id/test', actor, { id: channel.id });
  await talpa.publishStored(eventSubject('user', String(actor.userId)), {
    ...{ id: actor.userId, username: 'weg', isAdmin: false, createdAt: new Date().toISOString() },
    ...{ suspension: null, notifications: { email: false, system: true, maintenance: true } },
    ...{ version: 2, deleted: true },
  });
  await until('they are gone', async () => {
    const rows = await talpa.sql`
      select 1 from notifications.channels where user_id = ${actor.userId}
      union all select 1 from notifications.deliveries where channel_id = ${channel.id}`;
    return rows.length === 0;
  });
  await expect(talpa.call('POST /api/user/channels', actor, webhook)).rejects.toMatchObject({
    code: 'not_signed_in',
  });
});

it('is tested once at a time, and has a secret only as a webhook', async () => {
  const actor = newActor();
  const { channel } = await talpa.call('POST /api/user/channels', actor, {
    ...common,
    kind: 'discord',
    url: discord,
  });
  const { id } = channel;
  await talpa.sql`update notifications.channels set state = 'paused' where id = ${id}`;
  await talpa.sql`
    insert into notifications.deliveries (channel_id, notifications, state, due_at)
    values (${id}, '[]', 'queued', now() + interval '1 hour')`;
  await expect(talpa.call('POST /api/user/channels/:id/test', actor, { id })).rejects.toMatchObject({
    code: 'delivery_on_its_way',
  });
  await expect(talpa.call('POST /api/user/channels/:id/secret', actor, { id })).rejects.toMatchObject({
    code: 'channel_without_secret',
  });
});
