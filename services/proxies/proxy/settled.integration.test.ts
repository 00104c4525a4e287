import { randomUUID } from 'node:crypto';
import type { Subscription } from '@nats-io/transport-node';
import { type Actor, messageText, type Outcome } from '@talpa/contracts';
import { commandSubject, settledSubject } from '@talpa/service-kit/bus/subjects';
import { actorOf } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProxiesContext } from '../context.ts';
import { createProxy } from '../proxies/create.ts';
import { deleteProxy } from '../proxies/delete.ts';
import { updateProxy } from '../proxies/update.ts';
import { report } from '../tunnels/previous-calls.ts';
import { recreateTunnel } from '../tunnels/recreate.ts';
import { type ProxyRow, saveProxy } from './row.ts';
import { announceSettled, watchSettled } from './settled.ts';

const proxies = useVerbs(useStores(), 'proxies');
const domain = 'tunnel.localhost';
/** Longer than any test takes. */
const longMs = 120_000;
const settings = {
  ...{ TUNNEL_DOMAIN: domain, TUNNEL_PUBLIC_PORT: 8081, TUNNEL_PROVIDER: 'embedded' },
  ...{ RESERVED_NAMES: ['casino'], PROVISION_WAIT_MS: longMs },
};

/** What happens while a caller waits. */
type Meanwhile = () => unknown;

/** Every call listens for the end: none may leave a subscription behind. */
beforeEach(() => void vi.spyOn(proxies.call(null).nc, 'subscribe'));
afterEach(() => {
  const { results } = vi.mocked(proxies.call(null).nc.subscribe).mock;
  expect(results.filter(({ value }) => !(value as Subscription).isClosed())).toEqual([]);
  vi.restoreAllMocks();
});

let users = 0;
/** Somebody who may have five proxies, and what they call. */
async function newUser() {
  users += 1;
  const userId = users;
  const actor = actorOf(userId);
  await proxies.sql`
    insert into users (user_id, username, tier, proxy_limit) values (${userId}, ${`max${userId}`}, 'premium', 5)`;
  let waits = 0;
  const context = (meanwhile: Meanwhile, more: object = {}) => {
    const call = proxies.call<Actor>(actor, 'proxy.update');
    const whileWaiting = async <T>(wait: Promise<T>): Promise<T> => {
      waits += 1;
      await meanwhile();
      return wait;
    };
    return { ...call, settings, whileWaiting, ...more } as unknown as ProxiesContext & { actor: Actor };
  };
  return {
    userId,
    /** How many calls have waited for the worker until now. */
    waits: () => waits,
    create: (entries: object, meanwhile: Meanwhile, more: object = {}) =>
      createProxy(context(meanwhile, more), { ...entriesOf(userId), ...entries }),
    update: (id: number, entries: object, meanwhile: Meanwhile = nothing, more: object = {}) =>
      updateProxy(context(meanwhile, more), { id, ...entriesOf(userId), ...entries }),
    recreate: (id: number, meanwhile: Meanwhile = nothing, more: object = {}) =>
      recreateTunnel(context(meanwhile, more), { id }),
    remove: (id: number) => deleteProxy(context(nothing), { id }),
  };
}
const nothing = () => {};
const entriesOf = (userId: number) => ({
  ...{ serverName: 'Server', serverIP: '127.0.0.1', adminPort: 40_120, customUrl: `max-${userId}` },
});
/** Too short for anything to happen. */
const impatient = { settings: { ...settings, PROVISION_WAIT_MS: 1 } };

async function rowOf(userId: number): Promise<ProxyRow> {
  const [row] = await proxies.sql<ProxyRow[]>`
    select * from proxies where user_id = ${userId} order by id desc limit 1`;
  if (!row) throw new Error('there is no proxy');
  return row;
}
/** Reports, as the worker does, how the current generation has ended. */
async function settle(userId: number, outcome?: Outcome) {
  const { uuid, generation, incarnation, hostname, serverIp, adminPort, applied } = await rowOf(userId);
  const same = applied?.incarnation === incarnation;
  const tunnel = {
    ...{ tunnelId: same && applied ? applied.tunnelId : randomUUID(), dnsRecordId: 'record', incarnation },
    ...{ hostname, origin: `http://${serverIp}:${adminPort}` },
  };
  const context = proxies.call(null) as unknown as ProxiesContext & { actor: null };
  await report(context, {
    ...{ proxyId: uuid, generation },
    outcome: outcome ?? { kind: 'applied', applied: tunnel },
  });
}
const change = async (userId: number, changes: Partial<ProxyRow>) => {
  const row = await rowOf(userId);
  return proxies.transaction((tx) => saveProxy(tx, { ...row, ...changes }));
};
/** Somebody with a proxy whose tunnel is there. */
async function newOwner() {
  const user = await newUser();
  const { proxy } = await user.create({}, () => settle(user.userId));
  return { ...user, id: proxy.id, row: () => rowOf(user.userId), settle: () => settle(user.userId) };
}
/** The jobs of a proxy that the worker got. */
async function jobRequests(userId: number) {
  const { uuid } = await rowOf(userId);
  const rows = await proxies.sql<{ payload: { urgent: boolean } }[]>`
    select payload from outbox
    where subject = ${commandSubject('tunnel-worker.enqueue')} and payload ->> 'proxyId' = ${uuid} order by id`;
  return rows.map(({ payload }) => payload.urgent);
}
/** A row that a refusal may still restore. */
const isAwaited = ({ awaitedUntil }: ProxyRow) =>
  awaitedUntil !== null && awaitedUntil.getTime() > Date.now() + longMs / 2;
const reads = (userId: number, into: ProxyRow[]) => async () => {
  into.push(await rowOf(userId));
  await settle(userId);
};

describe('a create with the key of an earlier one', () => {
  it('waits as long as that one does, and not at all when that is done', async () => {
    const user = await newUser();
    const key = { idempotencyKey: randomUUID() };
    let repeated: Promise<unknown> | undefined;
    const settled = () => settle(user.userId);
    const first = await user.create(
      {},
      () => {
        repeated = user.create({}, settled, key);
        return repeated;
      },
      key,
    );
    expect(first.proxy.status).toBe('inactive');
    expect(first.message).toBe(messageText('proxyCreated', 'de', { name: 'Server' }));
    expect(await repeated).toEqual(first);
    expect(user.waits()).toBe(2);
    expect(await user.create({}, settled, key)).toEqual(first);
    expect(user.waits()).toBe(2);
    expect(await jobRequests(user.userId)).toEqual([true]);
  });

  it('returns as pending when its tunnel takes longer, and keeps a proxy that is refused then', async () => {
    const user = await newUser();
    const { proxy, message } = await user.create({}, nothing, impatient);
    expect(proxy).toMatchObject({ status: 'pending', ownerName: `max${user.userId}`, proxyPort: 8081 });
    expect(message).toBe(messageText('proxyPending', 'de', { name: 'Server' }));
    expect((await rowOf(user.userId)).awaitedUntil).toBeNull();
    await settle(user.userId, { kind: 'refused', reason: 'zone_full' });
    expect(await rowOf(user.userId)).toMatchObject({ status: 'error', removedAt: null });
  });
});

describe('an edit', () => {
  it('that is nothing to the provider waits for nobody and wakes nobody', async () => {
    const owner = await newOwner();
    const { generation } = await owner.row();
    const waits = owner.waits();
    expect(await owner.update(owner.id, { serverName: 'Neu' })).toMatchObject({ serverName: 'Neu' });
    expect(owner.waits()).toBe(waits);
    expect(await owner.row()).toMatchObject({ generation, awaitedUntil: null });
    expect(await jobRequests(owner.userId)).toEqual([true]);
  });

  it('of a name that was reserved later keeps it', async () => {
    const owner = await newOwner();
    await change(owner.userId, { customUrl: 'casino', hostname: `casino.${domain}` });
    const kept = await owner.update(owner.id, { customUrl: 'casino', serverName: 'Neu' });
    expect(kept).toMatchObject({ customUrl: 'casino', serverName: 'Neu' });
    await expect(owner.update(owner.id, { customUrl: 'www' })).rejects.toMatchObject({
      ...{ code: 'subdomain_reserved', params: { subdomain: 'www' } },
    });
  });

  it('is asked of the worker at once, and awaited, with the old address and status until then', async () => {
    const owner = await newOwner();
    await change(owner.userId, { status: 'active', tunnelHealth: 'healthy', restoring: true });
    const seen: ProxyRow[] = [];
    await owner.update(owner.id, { adminPort: 40_121 }, reads(owner.userId, seen));
    expect(seen).toMatchObject([
      { generation: 2, status: 'active', statusReason: null, restoring: false, adminPort: 40_121 },
    ]);
    expect(seen.map(isAwaited)).toEqual([true]);
    expect(await jobRequests(owner.userId)).toEqual([true, true]);
  });

  it('of a failed proxy tries again though nothing has changed, and shows it as pending', async () => {
    const owner = await newOwner();
    await change(owner.userId, { status: 'error', statusReason: 'tunnel_refused' });
    const seen: ProxyRow[] = [];
    const edited = await owner.update(owner.id, {}, reads(owner.userId, seen));
    expect(seen).toMatchObject([{ generation: 2, status: 'pending', statusReason: null }]);
    expect(edited).toMatchObject({ status: 'inactive', changePending: false });
  });

  it('of a proxy that is deleted meanwhile says so', async () => {
    const owner = await newOwner();
    const removed = () => owner.remove(owner.id);
    await expect(owner.update(owner.id, { adminPort: 40_121 }, removed)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('that takes too long returns as it is, and is no longer awaited', async () => {
    const owner = await newOwner();
    const edited = await owner.update(owner.id, { adminPort: 40_121 }, nothing, impatient);
    expect(edited).toMatchObject({ adminPort: 40_121, changePending: true });
    expect((await owner.row()).awaitedUntil).toBeNull();
  });

  it('that another overtakes leaves that one’s caller waiting', async () => {
    const owner = await newOwner();
    const awaitedUntil = new Date(Date.now() + longMs);
    const overtaken = async () => {
      const { uuid } = await change(owner.userId, { generation: 3, awaitedUntil });
      const { nc } = proxies.call(null);
      announceSettled(nc, uuid, { generation: 3, refused: null });
    };
    await owner.update(owner.id, { adminPort: 40_121 }, overtaken);
    expect((await owner.row()).awaitedUntil).toEqual(awaitedUntil);
  });
});

describe('a tunnel that is replaced', () => {
  it('has a number that no tunnel of the proxy ever had, and is awaited at once', async () => {
    const owner = await newOwner();
    await change(owner.userId, {
      ...{ lastIncarnation: 4, status: 'active', tunnelHealth: 'healthy', restoring: true },
      statusReason: 'zone_full',
    });
    const seen: ProxyRow[] = [];
    const { tunnelId, status } = await owner.recreate(owner.id, reads(owner.userId, seen));
    expect(seen).toMatchObject([
      {
        ...{ generation: 2, incarnation: 5, lastIncarnation: 5, status: 'active', statusReason: null },
        restoring: false,
      },
    ]);
    expect(seen.map(isAwaited)).toEqual([true]);
    expect([tunnelId, status]).toEqual([(await owner.row()).applied?.tunnelId, 'inactive']);
    expect(await jobRequests(owner.userId)).toEqual([true, true]);
  });

  it('is made for a failed proxy that has none, which is pending until then', async () => {
    const owner = await newOwner();
    await change(owner.userId, { applied: null, status: 'error', generation: 2 });
    const seen: ProxyRow[] = [];
    expect(await owner.recreate(owner.id, reads(owner.userId, seen))).toMatchObject({ status: 'inactive' });
    expect(seen).toMatchObject([{ generation: 3, status: 'pending' }]);
  });

  it('and refused returns the reason, or that it was deleted meanwhile', async () => {
    const owner = await newOwner();
    const refused = () => settle(owner.userId, { kind: 'refused', reason: 'hostname_in_use' });
    await expect(owner.recreate(owner.id, refused)).rejects.toMatchObject({
      ...{ code: 'hostname_in_use', params: { hostname: `max-${owner.userId}.${domain}` } },
    });
    await owner.settle();
    await expect(owner.recreate(owner.id, () => owner.remove(owner.id))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('and refused keeps a proxy whose tunnel was gone, as failed', async () => {
    const owner = await newOwner();
    await settle(owner.userId, { kind: 'refused', reason: 'tunnel_gone' });
    expect(await owner.row()).toMatchObject({ applied: null, status: 'error' });
    const refused = () => settle(owner.userId, { kind: 'refused', reason: 'tunnel_refused' });
    await expect(owner.recreate(owner.id, refused)).rejects.toMatchObject({ code: 'tunnel_refused' });
    expect(await owner.row()).toMatchObject({
      status: 'error',
      statusReason: 'tunnel_refused',
      removedAt: null,
    });
  });

  it('and gone again before the answer has no id', async () => {
    const owner = await newOwner();
    const gone = async () => {
      await change(owner.userId, { generation: 3 });
      await settle(owner.userId, { kind: 'refused', reason: 'tunnel_gone' });
    };
    expect(await owner.recreate(owner.id, gone)).toEqual({ tunnelId: null, status: 'inactive' });
  });

  it('returns that it takes longer when it does', async () => {
    const owner = await newOwner();
    await expect(owner.recreate(owner.id, nothing, impatient)).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    expect((await owner.row()).awaitedUntil).toBeNull();
  });

  it('is refused while a change is under way, or the proxy is suspended', async () => {
    const owner = await newOwner();
    await change(owner.userId, { generation: 2 });
    await expect(owner.recreate(owner.id)).rejects.toMatchObject({ code: 'proxy_pending' });
    await change(owner.userId, { suspendedAt: new Date(), suspensionReason: 'Spam' });
    await expect(owner.recreate(owner.id)).rejects.toMatchObject({ code: 'proxy_suspended' });
  });
});

describe('what is waited for', () => {
  it('is a generation or a later one, even when it ended before the wait began', async () => {
    const { nc, log } = proxies.call(null);
    const uuid = randomUUID();
    const watch = await watchSettled({ nc, log }, uuid);
    nc.publish(settledSubject(uuid), 'not readable');
    announceSettled(nc, uuid, { generation: 1, refused: 'tunnel_refused' });
    announceSettled(nc, uuid, { generation: 3, refused: 'zone_full' });
    await nc.flush();
    expect(await watch.generation(2, longMs)).toEqual({ generation: 3, refused: 'zone_full' });
    expect([1, 2, 3].map((generation) => watch.refusalOf(generation))).toEqual([
      ...['tunnel_refused', null, 'zone_full'],
    ]);
    watch.close();
  });
});
