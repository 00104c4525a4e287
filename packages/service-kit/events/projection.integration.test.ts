import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { streamsOf } from '@talpa/service-kit/bus/connect';
import { eventSubject, streams } from '@talpa/service-kit/bus/subjects';
import { testPassword } from '@talpa/test-kit/client';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const talpa = useServices(useStores(), ['auth', 'billing', 'proxies', 'stats', 'notifications'], {
  STREAM_WATCH_MS: '500',
});

/** A new user with a plan and a proxy, whom all projections know. */
async function newUser() {
  const username = `u${randomUUID().slice(0, 8)}`;
  const { id } = await talpa.call('POST /api/register', null, {
    username,
    password: testPassword,
  });
  await talpa.call('POST /api/user/subscription', actorOf(id), { planId: 'premium' });
  const uuid = randomUUID();
  await talpa.sql`
    insert into proxies.proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    values (${uuid}, ${id}, 'Server', '127.0.0.1', 1, ${`${username}.tunnel.localhost`}, 443, 'inactive')`;
  await talpa.ask('proxies.republish', {});
  return { id, uuid };
}

/** What the stream keeps of a row, if that is a snapshot. */
async function kept(subject: string): Promise<{ id: unknown } | null> {
  const manager = await jetstreamManager(streamsOf(await talpa.connectionOf('operator')));
  const message = await manager.streams.getMessage(streams.events, { last_by_subj: subject });
  return message?.json<{ id?: unknown }>().id === undefined ? null : message.json();
}

it.each(['user', 'subscription', 'proxy'] as const)(
  'an answer of NATS that stands in the place of the last snapshot of a %s is replaced',
  async (name) => {
    const user = await newUser();
    const id = name === 'proxy' ? user.uuid : String(user.id);
    const subject = eventSubject(name, id);
    const rows = () =>
      name === 'subscription'
        ? talpa.sql`select 1 from proxies.users where user_id = ${user.id} and subscription_version > 0`
        : talpa.sql`select 1 from stats.counted where kind = ${name} and id = ${id}`;
    await until('the projection', async () => (await rows()).length === 1);
    // As if it had not read the snapshot.
    if (name === 'subscription')
      await talpa.sql`update proxies.users set subscription_version = 0 where user_id = ${user.id}`;
    else await talpa.sql`delete from stats.counted where kind = ${name} and id = ${id}`;
    const nc = streamsOf(await talpa.connectionOf('operator'));
    nc.publish(`$JS.API.STREAM.INFO.${streams.events}`, '', { reply: subject });
    await nc.flush();
    await until('the projection again', async () => (await rows()).length === 1);
    await until(
      'the snapshot again',
      async () => (await kept(subject))?.id === (name === 'proxy' ? id : Number(id)),
    );
  },
);

it('what stands on the subject of no row, or is another row’s snapshot, changes nothing and is not tried for ever', async () => {
  const user = await newUser();
  const subject = eventSubject('user', String(user.id));
  const snapshot = await until('the snapshot', () => kept(subject));
  await talpa.publishStored(eventSubject('user', '999999999'), { nothing: true });
  await talpa.publishStored(subject, { ...snapshot, id: 999_999_998, version: 99 });
  await until('the snapshot again', async () => (await kept(subject))?.id === user.id);
  expect(await talpa.sql`select 1 from stats.counted where id in ('999999999', '999999998')`).toEqual([]);
  const manager = await jetstreamManager(streamsOf(await talpa.connectionOf('operator')));
  await until('nothing to be tried again', async () => {
    const consumers = await manager.consumers.list(streams.events).next();
    return consumers.every((one) => one.num_ack_pending === 0 && one.num_pending === 0);
  });
});

it('what a purge of the event stream has taken from a projection is published again', async () => {
  const { id } = await newUser();
  const rows = () =>
    talpa.sql`select 1 from proxies.users where user_id = ${id} and subscription_version > 0`;
  await until('the projection', async () => (await rows()).length === 1);
  const manager = await jetstreamManager(streamsOf(await talpa.connectionOf('operator')));
  await until('billing to know what the stream holds', async () => {
    const { state } = await manager.streams.info(streams.events);
    const [seen] = await talpa.sql`select messages from billing.stream_seen`;
    return seen?.messages === state.messages;
  });
  await talpa.sql`update proxies.users set subscription_version = 0 where user_id = ${id}`;
  await manager.streams.purge(streams.events);
  await until('the projection again', async () => (await rows()).length === 1);
});
