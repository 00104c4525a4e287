import { randomUUID } from 'node:crypto';
import type { CommandOf, EventOf } from '@talpa/contracts';
import { appliedSubject, commandSubject, eventSubject } from '@talpa/service-kit/bus/subjects';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { proxySnapshot } from '@talpa/test-kit/snapshots';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

const talpa = useServices(useStores(), ['notifications']);
const start = Date.now() - 3_600_000;
const atMinute = (minute: number) => new Date(start + minute * 60_000).toISOString();
let [users, versions] = [0, 0];

async function publish(snapshot: EventOf<'proxy'>) {
  const applied = () => talpa.received(appliedSubject('notifications', 'proxy', snapshot.id)).length;
  const before = applied();
  await talpa.publishStored(eventSubject('proxy', snapshot.id), snapshot);
  await until('the projection', () => applied() > before);
}
/** What the statistics order; returns once it is done. */
async function store(
  given: Pick<CommandOf<'notifications.storeOrigin'>, 'tunnelId' | 'isReachable' | 'since'>,
) {
  versions += 1;
  await talpa.publishStored(commandSubject('notifications.storeOrigin'), { ...given, version: versions });
  await until('the origin is stored', async () => {
    const [row] =
      await talpa.sql`select version from notifications.origins where tunnel_id = ${given.tunnelId}`;
    return row?.version === versions;
  });
}
/** A user with a connected proxy. */
async function owner(changes: Partial<EventOf<'proxy'>> = {}) {
  users += 1;
  const userId = users;
  const proxy = proxySnapshot(userId, { status: 'active', ...changes });
  await publish(proxy);
  const { id } = proxy;
  const inbox = async () =>
    (await talpa.call('GET /api/user/notifications', actorOf(userId), {})).toReversed();
  return {
    ...{ proxy, inbox },
    kinds: async () => (await inbox()).map(({ kind }) => kind),
    isLost: (minute: number) => store({ tunnelId: id, isReachable: false, since: atMinute(minute) }),
    isBack: (minute: number) => store({ tunnelId: id, isReachable: true, since: atMinute(minute) }),
  };
}
/** Another one makes the service look at all that it knows. */
const look = () => store({ tunnelId: randomUUID(), isReachable: false, since: atMinute(0) });

it('an admin panel that does not respond is notified of once, and once when it responds again', async () => {
  const { proxy, inbox, isLost, isBack } = await owner();
  const about = { proxyId: proxy.proxyId, proxy: proxy.serverName };
  await isLost(1);
  await isLost(1);
  const lost = { kind: 'origin_lost', params: { ...about, lostAt: atMinute(1) } };
  expect(await inbox()).toMatchObject([lost]);
  await isBack(11);
  const back = { kind: 'origin_back', params: { ...about, awaySeconds: 600 } };
  expect(await inbox()).toMatchObject([lost, back]);
  await look();
  await isLost(20);
  expect(await inbox()).toMatchObject([
    lost,
    back,
    { kind: 'origin_lost', params: { lostAt: atMinute(20) } },
  ]);
});

it('an admin panel that does not respond is notified of to members too, and to channels of the installation once', async () => {
  users += 1;
  const member = users;
  const { inbox, isLost, isBack } = await owner({ memberIds: [member] });
  const { channel } = await talpa.call('POST /api/admin/channels', actorOf(1, { isAdmin: true }), {
    ...{ kind: 'webhook', name: 'Statusseite', topics: ['proxies'], url: 'https://hooks.example.org/x' },
  });
  await isLost(1);
  await isBack(11);
  const kinds = ['origin_back', 'origin_lost'];
  const theirs = await talpa.call('GET /api/user/notifications', actorOf(member), {});
  expect(theirs.map(({ kind }) => kind)).toEqual(kinds);
  expect(await inbox()).toHaveLength(2);
  const rows = await talpa.sql<{ kind: string }[]>`
    select notifications -> 0 ->> 'kind' as kind from notifications.deliveries where channel_id = ${channel.id} order by id desc`;
  expect(rows.map(({ kind }) => kind)).toEqual(kinds);
});

it('an admin panel is no outage of its own while its connector is away or its proxy is suspended or paused', async () => {
  const suspension = { reason: 'Spam', since: atMinute(0) };
  const [away, suspended] = [await owner({ status: 'inactive' }), await owner({ suspension })];
  for (const one of [away, suspended, await owner({ paused: true })]) {
    await one.isLost(1);
    await one.isBack(2);
    expect(await one.kinds()).toEqual([]);
  }
  // What was heard long ago may be over when the connector is back.
  await away.isLost(3);
  await talpa.sql`
    update notifications.origins set heard_at = now() - interval '6 minutes' where tunnel_id = ${away.proxy.id}`;
  await publish({ ...away.proxy, status: 'active', version: 2 });
  await look();
  expect(await away.kinds()).toEqual([]);
});

it('an admin panel whose proxy is known later is notified of then', async () => {
  const id = randomUUID();
  await store({ tunnelId: id, isReachable: false, since: atMinute(1) });
  const { kinds } = await owner({ id });
  await look();
  expect(await kinds()).toEqual(['origin_lost']);
});

it('what the version before says of a tunnel is about its proxy', async () => {
  const { proxy, kinds } = await owner();
  const tunnelId = proxy.tunnelId ?? '';
  await store({ tunnelId, isReachable: false, since: atMinute(1) });
  await store({ tunnelId, isReachable: true, since: atMinute(2) });
  expect(await kinds()).toEqual(['origin_lost', 'origin_back']);
});

it('of two proxies on one tunnel only the owner of the one whose admin panel does not respond is notified', async () => {
  const [one, sibling] = [await owner(), await owner()];
  await publish({ ...sibling.proxy, tunnelId: one.proxy.tunnelId, version: 2 });
  await one.isLost(1);
  await one.isBack(2);
  expect([await one.kinds(), await sibling.kinds()]).toEqual([['origin_lost', 'origin_back'], []]);
});

it('an admin panel that does not respond stays so behind a new tunnel, until its proxy is deleted', async () => {
  const { proxy, kinds, isLost, isBack } = await owner();
  await isLost(1);
  await publish({ ...proxy, tunnelId: randomUUID(), version: 2 });
  await isBack(5);
  expect(await kinds()).toEqual(['origin_lost', 'origin_back']);
  await publish({ ...proxy, deleted: true, version: 3 });
  expect(await talpa.sql`select 1 from notifications.origins where tunnel_id = ${proxy.id}`).toHaveLength(0);
});
