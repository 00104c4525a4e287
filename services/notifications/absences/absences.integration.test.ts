import { randomUUID } from 'node:crypto';
import type { EventOf } from '@talpa/contracts';
import { appliedSubject, eventSubject } from '@talpa/service-kit/bus/subjects';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { proxySnapshot } from '@talpa/test-kit/snapshots';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { beforeAll, describe, expect, it } from 'vitest';
import { notifyDue } from './notify.ts';

const stores = useStores();
const alertAfter = 120;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
type Services = ReturnType<typeof useServices>;
let users = 0;

/** What concerns absences in an installation of its own. */
function worldOf(services: Services) {
  /** What a process does every few seconds. */
  const look = async () => {
    const failure = await services.sql.begin(async (sql) => {
      await sql`set local search_path to notifications, public`;
      const transaction = (work: (tx: object) => Promise<unknown>) =>
        sql.savepoint((inner) => work({ sql: inner, invalidate: () => {} }));
      // What was inserted before the failure stays.
      return notifyDue({ sql, transaction } as never, alertAfter).then(() => null, String);
    });
    if (failure !== null) throw new Error(failure);
  };
  const notifyOf = async (name: 'proxy' | 'user', snapshot: EventOf<'proxy'> | EventOf<'user'>) => {
    const applied = () =>
      services.received<{ version: number }>(appliedSubject('notifications', name, String(snapshot.id)));
    await services.publishStored(eventSubject(name, String(snapshot.id)), snapshot);
    await until('the projection', () => applied().some(({ version }) => version === snapshot.version));
  };
  const newUser = async (isAdmin = false) => {
    users += 1;
    const id = users;
    const user: EventOf<'user'> = {
      ...{ id, username: `u-${randomUUID().slice(0, 12)}`, isAdmin, createdAt: ago(0), suspension: null },
      notifications: { email: false, system: true, maintenance: true },
      ...{ version: 1, deleted: false },
    };
    await notifyOf('user', user);
    const inbox = async () =>
      (await services.call('GET /api/user/notifications', actorOf(id), {})).toReversed();
    return { id, user, inbox, kinds: async () => (await inbox()).map(({ kind }) => kind) };
  };
  /** A proxy that is connected. */
  const connected = async (userId: number, given: Partial<EventOf<'proxy'>> = {}) => {
    let last = proxySnapshot(userId, { status: 'active', ...given });
    const change = async (changes: Partial<EventOf<'proxy'>>) => {
      last = { ...last, changedAt: ago(0), ...changes, version: last.version + 1 };
      await notifyOf('proxy', last);
    };
    await notifyOf('proxy', last);
    return {
      ...{ id: last.id, proxyId: last.proxyId, name: last.serverName, change },
      lose: (seconds: number) => change({ status: 'inactive', changedAt: ago(seconds) }),
      comeBack: () => change({ status: 'active' }),
    };
  };
  return { look, notifyOf, newUser, connected };
}

describe('a connector', () => {
  const services = useServices(stores, ['notifications']);
  const { look, notifyOf, newUser, connected } = worldOf(services);
  // Among many a few are no mass loss.
  beforeAll(async () => {
    await services.sql`
      insert into notifications.proxies (uuid, proxy_id, user_id, version, deleted, is_suspended, has_error, is_connected, tunnel_id)
      select gen_random_uuid(), -number, -1, 1, false, false, false, true, gen_random_uuid() from generate_series(1, 200) as number`;
  });

  it('makes a notification although another user cannot be notified', async () => {
    const [first, second] = [await newUser(), await newUser()];
    for (const { id } of [first, second]) await (await connected(id)).lose(alertAfter + 60);
    // Their notification must be refused, whatever refuses it.
    await services.sql.unsafe(`create function notifications.refuse() returns trigger language plpgsql as
      $$ begin if new.user_id = ${first.id} then raise 'refused'; end if; return new; end $$`);
    await services.sql`create trigger refuse before insert on notifications.inbox
      for each row execute function notifications.refuse()`;
    await expect(look()).rejects.toThrow('refused');
    expect(await second.kinds()).toEqual(['connector_lost']);
    await services.sql`drop function notifications.refuse cascade`;
    await look();
    expect(await first.kinds()).toEqual(['connector_lost']);
  });

  it('that is away for a short time makes no notification, neither when it goes nor when it is back', async () => {
    const person = await newUser();
    const proxy = await connected(person.id);
    await proxy.lose(alertAfter - 20);
    await look();
    await proxy.comeBack();
    await look();
    expect(await person.kinds()).toEqual([]);
  });

  it('that stays away notifies its user once, and of the duration when it is back', async () => {
    const person = await newUser();
    const proxy = await connected(person.id);
    await proxy.lose(alertAfter + 1);
    await look();
    await look();
    await proxy.change({ tunnelHealth: 'down' });
    await look();
    expect(await person.inbox()).toMatchObject([
      { kind: 'connector_lost', params: { proxyId: proxy.proxyId, proxy: proxy.name } },
    ]);
    await proxy.comeBack();
    await look();
    await look();
    expect(await person.inbox()).toMatchObject([
      { kind: 'connector_lost' },
      { kind: 'connector_back', params: { awaySeconds: expect.toSatisfy((s) => s > alertAfter && s < 240) } },
    ]);
    await proxy.lose(alertAfter + 1);
    await look();
    const twice = ['connector_lost', 'connector_back', 'connector_lost', 'connector_back'];
    expect(await person.kinds()).toEqual(twice.slice(0, 3));
    await proxy.comeBack();
    await look();
    expect(await person.kinds()).toEqual(twice);
  });

  it('that goes together with others is in one notification with them, after a minute at the latest', async () => {
    const person = await newUser();
    const [first, second, third] = [
      await connected(person.id),
      await connected(person.id),
      await connected(person.id),
    ];
    await first.lose(alertAfter + 10);
    await second.lose(alertAfter - 20);
    await look();
    expect(await person.kinds()).toEqual([]);
    await services.sql`update notifications.proxies set away_since = away_since - interval '25 seconds'
      where user_id = ${person.id} and away_since is not null`;
    await look();
    expect(await person.inbox()).toMatchObject([
      { kind: 'connectors_lost', params: { names: [first.name, second.name] } },
    ]);
    await third.lose(alertAfter + 61);
    await (await connected(person.id)).lose(10);
    await look();
    expect(await person.inbox()).toMatchObject([
      { kind: 'connectors_lost' },
      { kind: 'connector_lost', params: { proxy: third.name } },
    ]);
  });

  it('that several proxies have in common is named once, by their server', async () => {
    const person = await newUser();
    const server = { id: randomUUID(), name: 'Wurzelwerk' };
    const [first, second, other] = [
      await connected(person.id, { server }),
      await connected(person.id, { server }),
      await connected(person.id, { server: { id: randomUUID(), name: 'Allein' } }),
    ];
    for (const proxy of [first, second, other]) await proxy.lose(alertAfter + 61);
    await look();
    expect(await person.inbox()).toMatchObject([
      { kind: 'connectors_lost', params: { names: ['Wurzelwerk', other.name] } },
    ]);
    for (const proxy of [first, second, other]) await proxy.comeBack();
    await look();
    expect((await person.inbox()).at(-1)).toMatchObject({
      ...{ kind: 'connectors_back', params: { names: ['Wurzelwerk', other.name] } },
    });
  });

  it('that is back together with others is in one notification with them, after a minute at the latest', async () => {
    const person = await newUser();
    const proxies = [
      await connected(person.id),
      await connected(person.id),
      await connected(person.id),
    ] as const;
    for (const proxy of proxies) await proxy.lose(alertAfter + 1);
    await look();
    const [first, second, third] = proxies;
    await first.comeBack();
    await second.comeBack();
    await look();
    expect(await person.kinds()).toEqual(['connectors_lost']);
    // What goes again has not been back.
    await second.lose(0);
    await services.sql`update notifications.proxies set back_at = back_at - interval '61 seconds'
      where user_id = ${person.id} and back_at is not null`;
    await look();
    expect(await person.inbox()).toMatchObject([
      { kind: 'connectors_lost' },
      { kind: 'connector_back', params: { proxy: first.name } },
    ]);
    await second.comeBack();
    await third.comeBack();
    await look();
    expect(await person.inbox()).toMatchObject([
      { kind: 'connectors_lost' },
      { kind: 'connector_back' },
      { kind: 'connectors_back', params: { names: [second.name, third.name] } },
    ]);
  });

  it('that is lost notifies the members of its proxy, of no other one of its owner', async () => {
    const [owner, member] = [await newUser(), await newUser()];
    const [shared, own] = [await connected(owner.id), await connected(owner.id)];
    await shared.change({ memberIds: [member.id] });
    for (const proxy of [shared, own]) await proxy.lose(alertAfter + 1);
    await look();
    expect(await owner.inbox()).toMatchObject([
      { kind: 'connectors_lost', params: { names: { length: 2 } } },
    ]);
    expect(await member.inbox()).toMatchObject([
      { kind: 'connector_lost', params: { proxyId: shared.proxyId, proxy: shared.name } },
    ]);
    for (const proxy of [own, shared]) await proxy.comeBack();
    await look();
    expect(await owner.kinds()).toEqual(['connectors_lost', 'connectors_back']);
    expect(await member.kinds()).toEqual(['connector_lost', 'connector_back']);
    await shared.change({ memberIds: [] });
    await shared.lose(alertAfter + 61);
    await look();
    expect([(await owner.kinds()).length, (await member.kinds()).length]).toEqual([3, 2]);
  });

  it('that goes while its proxy is paused is lost when that is resumed without it, and only then', async () => {
    const person = await newUser();
    const [proxy, other] = [await connected(person.id), await connected(person.id)];
    for (const one of [proxy, other]) {
      await one.change({ paused: true });
      await one.change({ status: 'inactive', paused: true, changedAt: ago(10 * alertAfter) });
    }
    await look();
    await other.change({ status: 'active', paused: true });
    for (const one of [proxy, other]) await one.change({ paused: false, changedAt: ago(alertAfter - 20) });
    await look();
    expect(await person.kinds()).toEqual([]);
    await services.sql`update notifications.proxies set away_since = away_since - interval '90 seconds'
      where uuid = ${proxy.id}`;
    await look();
    expect(await person.inbox()).toMatchObject([
      { kind: 'connector_lost', params: { proxyId: proxy.proxyId } },
    ]);
  });

  it('that was never there, or is cut off by a suspension, a new tunnel or a deletion, is not lost', async () => {
    const person = await newUser();
    const suspension = { reason: 'Spam', since: ago(0) };
    const away = { status: 'inactive', changedAt: ago(alertAfter + 1) } as const;
    await notifyOf('proxy', proxySnapshot(person.id, away));
    await (await connected(person.id)).change({ ...away, suspension });
    await (await connected(person.id)).change({ ...away, tunnelId: randomUUID() });
    const deleted = await connected(person.id);
    await deleted.lose(alertAfter + 1);
    await deleted.change({ deleted: true });
    await look();
    expect(await person.kinds()).toEqual(['proxy_suspended']);
    const suspended = await newUser();
    const theirs = await connected(suspended.id);
    await notifyOf('user', { ...suspended.user, suspension, version: 2 });
    await theirs.lose(alertAfter + 1);
    await look();
    await notifyOf('user', { ...suspended.user, version: 3 });
    await look();
    expect(await suspended.kinds()).toEqual(['account_suspended', 'account_resumed']);
  });
});

describe('connectors of many users that are lost one after the other', () => {
  const services = useServices(stores, ['notifications']);
  const { look } = worldOf(services);
  it('are notified to every one of them', async () => {
    const count = 101;
    await services.sql`
      insert into notifications.proxies (uuid, proxy_id, user_id, server_name, version, deleted, is_suspended, has_error,
        is_connected, away_since)
      select gen_random_uuid(), number, number, 'n', 1, false, false, false, false,
        now() - (${alertAfter} + number * 40) * interval '1 second' from generate_series(1, ${count}) as number`;
    await look();
    const rows = await services.sql`select user_id, kind from notifications.inbox order by user_id`;
    expect(rows).toEqual(
      Array.from({ length: count }, (_none, at) => ({ userId: at + 1, kind: 'connector_lost' })),
    );
  });
});

describe('many connectors that are lost at once', () => {
  const services = useServices(stores, ['notifications']);
  const { look, newUser, connected } = worldOf(services);
  /** Lets time pass since the last mass loss. */
  const pass = (seconds: number) =>
    services.sql`update notifications.mass_losses set detected_at = detected_at - ${seconds} * interval '1 second'`;
  it('are nothing special while they are no more than a fifth of all', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => newUser()));
    const proxies = await Promise.all(people.map(({ id }) => connected(id)));
    const owner = await newUser();
    for (let more = 0; more < 20; more += 1) await connected(owner.id);
    await Promise.all(proxies.map((proxy) => proxy.lose(alertAfter + 1)));
    await look();
    for (const person of people) expect(await person.kinds()).toEqual(['connector_lost']);
  });

  it('are counted by connectors: those of one tunnel with many proxies are one', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => newUser()));
    const tunnels = people.map(() => randomUUID());
    const proxies = await Promise.all(
      people.flatMap(({ id }, index) =>
        [1, 2].map(() => connected(id, { tunnelId: tunnels[index] ?? null })),
      ),
    );
    await Promise.all(proxies.map((proxy) => proxy.lose(alertAfter + 1)));
    await look();
    for (const person of people) expect(await person.kinds()).toEqual(['connectors_lost']);
  });

  it('are nothing special while they are those of two users, so that nobody silences the others', async () => {
    const people = await Promise.all([newUser(), newUser()]);
    const proxies = await Promise.all(
      people.flatMap(({ id }) => [connected(id), connected(id), connected(id), connected(id)]),
    );
    await Promise.all(proxies.map((proxy) => proxy.lose(alertAfter + 1)));
    await look();
    for (const person of people) expect(await person.kinds()).toEqual(['connectors_lost']);
  });

  it('make one notification to administrators, and to users only if theirs stays away', async () => {
    const administrator = await newUser(true);
    const people = await Promise.all(Array.from({ length: 6 }, () => newUser()));
    const proxies = await Promise.all(people.map(({ id }) => connected(id)));
    const received = async () =>
      (await Promise.all(people.map((one) => one.kinds()))).map((kinds) => kinds.join());
    const nobody = people.map(() => '');
    await Promise.all(proxies.map((proxy, at) => proxy.lose(alertAfter + 1 + at)));
    await look();
    await look();
    expect([await received(), await administrator.kinds()]).toEqual([nobody, []]);
    await pass(31);
    await look();
    await look();
    expect([await received(), await administrator.inbox()]).toEqual([
      nobody,
      [expect.objectContaining({ kind: 'connectors_lost_at_once', params: { count: 6 } })],
    ]);
    await proxies[0]?.comeBack();
    await pass(5 * alertAfter);
    await look();
    await look();
    expect(await received()).toEqual(['', ...Array.from({ length: 5 }, () => 'connector_lost')]);
    expect(await administrator.kinds()).toEqual(['connectors_lost_at_once']);
  });

  it('notify nobody when all are back before they are counted', async () => {
    await pass(100 * alertAfter);
    await services.sql`update notifications.proxies set is_connected = false`;
    const people = await Promise.all([newUser(true), newUser(), newUser()]);
    const proxies = await Promise.all(
      people.flatMap(({ id }, at) => (at === 0 ? [connected(id)] : [connected(id), connected(id)])),
    );
    await Promise.all(proxies.map((proxy) => proxy.lose(alertAfter + 1)));
    await look();
    await Promise.all(proxies.map((proxy) => proxy.comeBack()));
    await pass(31);
    await look();
    for (const person of people) expect(await person.kinds()).toEqual([]);
  });
});

describe('with two processes', () => {
  const both = useServices(stores, ['notifications', 'notifications']);
  const { newUser, connected } = worldOf(both);
  it('each loss makes one notification, and a group one for all', async () => {
    const owner = await newUser();
    for (let more = 0; more < 60; more += 1) await connected(owner.id);
    const people = await Promise.all(Array.from({ length: 3 }, () => newUser()));
    const lost = await Promise.all(people.map(async ({ id }) => [await connected(id), await connected(id)]));
    await Promise.all(lost.flat().map((proxy) => proxy.lose(alertAfter + 1)));
    await until('all users to be notified', async () =>
      (await Promise.all(people.map((one) => one.kinds()))).every((kinds) => kinds.length > 0),
    );
    const rows = await both.sql`select user_id, kind from notifications.inbox order by user_id`;
    expect(rows).toEqual(people.map(({ id }) => ({ userId: id, kind: 'connectors_lost' })));
  });
});
