import { randomUUID } from 'node:crypto';
import { type AppliedProxy, labelSkeleton, type Outcome } from '@talpa/contracts';
import { openBus } from '@talpa/service-kit/bus/connect';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';
import type { ProxiesContext } from '../context.ts';
import { reserveHostname } from '../proxy/address.ts';
import { type ProxyRow, saveProxy } from '../proxy/row.ts';
import { removeServer } from '../server/remove.ts';
import { lockServers } from '../server/row.ts';
import { observe, report } from './previous-calls.ts';
import { startSweep } from './sweep.ts';

const stores = useStores();
const proxies = useVerbs(stores, 'proxies');
const context = () => proxies.call(null) as unknown as ProxiesContext & { actor: null };

let users = 0;
/** A proxy of somebody new, wanted at the provider for the first time. */
async function newProxy(hostname = `${randomUUID()}.example.com`, userId = ++users) {
  const uuid = randomUUID();
  await proxies.transaction(async (tx) => {
    await tx.sql`
      insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
      values (${uuid}, ${userId}, 'Server', '127.0.0.1', 40120, ${hostname}, 80, 'pending')`;
    await reserveHostname(tx, hostname, { uuid, userId });
  });
  const row = async () => {
    const [found] = await proxies.sql<ProxyRow[]>`select * from proxies where uuid = ${uuid}`;
    if (!found) throw new Error('the proxy is gone');
    return found;
  };
  const applied = (incarnation = 1): AppliedProxy => ({
    ...{ tunnelId: randomUUID(), dnsRecordId: 'record', incarnation, hostname },
    origin: 'http://127.0.0.1:40120',
  });
  return {
    uuid,
    userId,
    hostname,
    row,
    applied,
    /** What the worker reports of it. */
    reported: (generation: number, outcome: Outcome) =>
      report(context(), { proxyId: uuid, generation, outcome }).then(({ counted }) => counted),
    edited: async (changes: Partial<ProxyRow> = {}) => {
      const before = await row();
      const after = { ...before, generation: before.generation + 1, ...changes };
      return proxies.transaction((tx) => saveProxy(tx, after));
    },
    deleted: () =>
      proxies.transaction(async (tx) => {
        const [locked] = await lockServers(tx, tx.sql`uuid = ${uuid}`);
        const [removed] = locked ? await removeServer(tx, locked) : [];
        if (!removed) throw new Error('the proxy is gone');
        return removed;
      }),
  };
}
const reserve = (hostname: string, userId: number) =>
  proxies.transaction((tx) => reserveHostname(tx, hostname, { uuid: randomUUID(), userId }));
const taken = { code: 'subdomain_taken' };
/** The results that a caller who waits for a proxy receives while `work` runs. */
async function settledDuring(uuid: string, work: () => Promise<unknown>): Promise<unknown[]> {
  const nc = await openBus(stores.stores.natsUrl('operator'), 'operator');
  const received: unknown[] = [];
  nc.subscribe(`settled.${uuid}`, { callback: (_error, message) => void received.push(message.json()) });
  await nc.flush();
  await work();
  // What was said before on the other connection has come when this has.
  await context().nc.flush();
  await nc.flush();
  await nc.close();
  return received;
}

describe('a report', () => {
  it('counts for the generation that is wanted, and for no other', async () => {
    const proxy = await newProxy();
    const outcomes = (): Outcome[] => [
      { kind: 'applied', applied: proxy.applied() },
      { kind: 'refused', reason: 'tunnel_refused' },
      { kind: 'failing', reason: 'provider_unavailable' },
      { kind: 'dead_letter', reason: 'provider_unavailable' },
      { kind: 'removed' },
    ];
    await proxy.edited();
    const before = await proxy.row();
    for (const generation of [1, 3])
      for (const outcome of outcomes()) expect(await proxy.reported(generation, outcome)).toBe(false);
    expect(await proxy.row()).toEqual(before);
    const applied = proxy.applied();
    expect(await proxy.reported(2, { kind: 'applied', applied })).toBe(true);
    expect(await proxy.row()).toMatchObject({ appliedGeneration: 2, applied, status: 'inactive' });
  });

  it('of a worker that knows no options of the origin does not count: a newer one is asked later', async () => {
    const proxy = await newProxy();
    await proxies.sql`
      update proxies set origin_protocol = 'https', verify_certificate = false where uuid = ${proxy.uuid}`;
    const before = await proxy.row();
    const applied = { ...proxy.applied(), origin: 'https://127.0.0.1:40120' };
    await proxy.reported(1, { kind: 'applied', applied });
    expect(await proxy.row()).toEqual(before);
    const whole = { ...applied, originOptions: { verifyCertificate: false as const } };
    await proxy.reported(1, { kind: 'applied', applied: whole });
    expect(await proxy.row()).toMatchObject({ appliedGeneration: 1, applied: whole });
  });

  it('of a worker that knows no pause does not count: a newer one is asked later', async () => {
    const proxy = await newProxy();
    await proxies.sql`update proxies set paused_at = now(), pause_message = '' where uuid = ${proxy.uuid}`;
    const before = await proxy.row();
    const applied = proxy.applied();
    await proxy.reported(1, { kind: 'applied', applied });
    expect(await proxy.row()).toEqual(before);
    await proxy.reported(1, { kind: 'applied', applied: { ...applied, paused: true } });
    expect(await proxy.row()).toMatchObject({ appliedGeneration: 1, applied: { paused: true } });
  });

  it('of an older generation takes no deleted proxy back, and gives no name away', async () => {
    const proxy = await newProxy();
    await proxy.deleted();
    expect(await proxy.reported(1, { kind: 'applied', applied: proxy.applied() })).toBe(false);
    expect(await proxy.reported(1, { kind: 'removed' })).toBe(false);
    expect((await proxy.row()).removedAt).not.toBeNull();
    await expect(reserve(proxy.hostname, proxy.userId + 1_000)).rejects.toMatchObject({
      ...taken,
      params: { subdomain: proxy.hostname.split('.')[0] },
    });
  });
});

describe('a caller that waits', () => {
  it('gets the result, for which generation and why, and nothing that is no result', async () => {
    const proxy = await newProxy();
    const applied = proxy.applied();
    const received = await settledDuring(proxy.uuid, async () => {
      await proxy.reported(1, { kind: 'failing', reason: 'provider_unavailable' });
      await proxy.reported(1, { kind: 'dead_letter', reason: 'provider_unavailable' });
      await proxy.reported(7, { kind: 'applied', applied });
      await proxy.reported(1, { kind: 'applied', applied });
      await proxy.edited();
      await proxy.reported(2, { kind: 'refused', reason: 'zone_full' });
      const { generation } = await proxy.deleted();
      expect(generation).toBe(4);
      await proxy.reported(4, { kind: 'removed' });
    });
    expect(received).toEqual([
      { generation: 1, refused: null },
      { generation: 2, refused: 'zone_full' },
      { generation: 4, refused: null },
    ]);
    await expect(proxy.row()).rejects.toThrow('gone');
  });
});

describe('what has been reached', () => {
  it('keeps the health of the same tunnel; another begins without a connector', async () => {
    const proxy = await newProxy();
    const applied = proxy.applied();
    await proxy.reported(1, { kind: 'applied', applied });
    await proxy.edited({ tunnelHealth: 'healthy', status: 'active' });
    await proxy.reported(2, { kind: 'applied', applied: { ...applied, origin: 'http://127.0.0.1:1' } });
    expect(await proxy.row()).toMatchObject({ status: 'active', tunnelHealth: 'healthy' });
    await proxy.edited();
    await proxy.reported(3, { kind: 'applied', applied: proxy.applied(2) });
    expect(await proxy.row()).toMatchObject({ status: 'inactive', tunnelHealth: 'inactive' });
  });

  it('ends a failure, and what is refused later is one again, with its own reason', async () => {
    const proxy = await newProxy();
    const applied = proxy.applied();
    await proxy.reported(1, { kind: 'applied', applied });
    for (const reason of ['tunnel_refused', 'zone_full'] as const) {
      await proxy.reported(1, { kind: 'refused', reason });
      // It is as it was wanted: there is nothing to undo.
      expect(await proxy.row()).toMatchObject({
        generation: 1,
        status: 'error',
        statusReason: reason,
        applied,
      });
    }
    await proxy.reported(1, { kind: 'dead_letter', reason: 'provider_unavailable' });
    expect(await proxy.row()).toMatchObject({ status: 'error', statusReason: 'provider_unavailable' });
    await proxy.reported(1, { kind: 'applied', applied });
    expect(await proxy.row()).toMatchObject({ status: 'inactive', statusReason: null });
    await proxy.reported(1, { kind: 'failing', reason: 'zone_full' });
    await proxy.reported(1, { kind: 'refused', reason: 'zone_full' });
    expect(await proxy.row()).toMatchObject({ status: 'error', statusReason: 'zone_full' });
    // It is an error still when somebody edits it, and refused for the same reason.
    await proxy.edited({ adminPort: 1 });
    await proxy.reported(2, { kind: 'refused', reason: 'zone_full' });
    expect(await proxy.row()).toMatchObject({ generation: 3, adminPort: 40_120, restoring: true });
    await proxy.reported(3, { kind: 'applied', applied });
    expect(await proxy.row()).toMatchObject({ status: 'inactive', statusReason: null });
    const moved = { ...applied, origin: 'http://127.0.0.1:1' };
    await proxy.reported(3, { kind: 'applied', applied: moved });
    expect(await proxy.row()).toMatchObject({ applied: moved });
  });
});

describe('what the provider refuses', () => {
  it('of an edit is undone, and given up when the old entries are refused too', async () => {
    const proxy = await newProxy();
    const applied = proxy.applied();
    await proxy.reported(1, { kind: 'applied', applied });
    await proxy.edited({ serverName: 'Anders', hostname: `${randomUUID()}.example.com`, adminPort: 1 });
    const refused: Outcome = { kind: 'refused', reason: 'hostname_in_use' };
    await proxy.reported(2, refused);
    expect(await proxy.row()).toMatchObject({
      ...{ serverName: 'Server', hostname: proxy.hostname, adminPort: 40_120, status: 'inactive' },
      ...{ generation: 3, appliedGeneration: 1, statusReason: 'hostname_in_use', restoring: true },
    });
    await proxy.reported(3, refused);
    expect(await proxy.row()).toMatchObject({
      ...{ generation: 3, appliedGeneration: 3, status: 'error', statusReason: 'hostname_in_use' },
      ...{ restoring: false, applied },
    });
    const { version } = await proxy.row();
    await proxy.reported(3, refused);
    expect((await proxy.row()).version).toBe(version);
    const rows = await proxies.sql<{ payload: { action: string; changes: object } }[]>`
      select payload from outbox where subject = 'audit.proxies' and payload ->> 'subjectUserId' = ${String(proxy.userId)}
      order by id`;
    expect(rows.map(({ payload }) => [payload.action, payload.changes])).toEqual(
      Array(2).fill(['proxy.refuse', { statusReason: { to: 'hostname_in_use' } }]),
    );
  });

  it('because the tunnel is gone leaves the proxy without one', async () => {
    const proxy = await newProxy();
    await proxy.reported(1, { kind: 'applied', applied: proxy.applied() });
    await proxy.edited();
    await proxy.reported(2, { kind: 'refused', reason: 'tunnel_gone' });
    expect(await proxy.row()).toMatchObject({
      ...{
        applied: null,
        tunnelHealth: null,
        status: 'error',
        statusReason: 'tunnel_gone',
        appliedGeneration: 2,
      },
    });
  });

  it('of a create is removed while somebody waits for it, and stays as failed afterwards', async () => {
    for (const [interval, removed] of [
      ['1 minute', true],
      ['-1 minute', false],
    ] as const) {
      const proxy = await newProxy();
      await proxies.sql`
        update proxies set awaited_until = now() + ${interval}::interval where uuid = ${proxy.uuid}`;
      await proxy.reported(1, { kind: 'refused', reason: 'zone_full' });
      const row = await proxy.row();
      expect([row.removedAt !== null, row.status]).toEqual([removed, removed ? 'pending' : 'error']);
    }
  });
});

describe('what has not succeeded yet', () => {
  it('is shown with its reason, as failed when no more is tried, and published once', async () => {
    const proxy = await newProxy();
    const outcomes = [
      ['failing', 'pending'],
      ['dead_letter', 'error'],
    ] as const;
    for (const [kind, status] of outcomes) {
      await proxy.reported(1, { kind, reason: 'provider_unavailable' });
      const row = await proxy.row();
      expect(row).toMatchObject({ status, statusReason: 'provider_unavailable', appliedGeneration: 0 });
      await proxy.reported(1, { kind, reason: 'provider_unavailable' });
      expect((await proxy.row()).version).toBe(row.version);
    }
    const applied = proxy.applied();
    await proxy.reported(1, { kind: 'applied', applied });
    const row = await proxy.row();
    expect(row).toMatchObject({ status: 'inactive', statusReason: null, applied, tunnelHealth: 'inactive' });
    await proxy.reported(1, { kind: 'applied', applied });
    expect((await proxy.row()).version).toBe(row.version);
  });

  it('is enqueued again when its enqueue command is long ago, and nothing else is', async () => {
    const [lost, young, done] = [await newProxy(), await newProxy(), await newProxy()];
    await done.reported(1, { kind: 'applied', applied: done.applied() });
    for (const { uuid } of [lost, done])
      await proxies.sql`update proxies set woken_at = now() - interval '61 seconds' where uuid = ${uuid}`;
    await proxies.sql`update proxies set woken_at = now() - interval '10 seconds' where uuid = ${young.uuid}`;
    const enqueued = async () => {
      const rows = await proxies.sql<{ payload: { proxyId: string; urgent: boolean } }[]>`
        select payload from outbox where subject = 'command.tunnel-worker.enqueue' order by id`;
      return rows.map(({ payload }) => payload);
    };
    const before = (await enqueued()).length;
    const { lifecycle, stop } = newProcess();
    startSweep({ transaction: proxies.transaction } as ServiceBase, 20, lifecycle);
    await until('the enqueue command', async () => (await enqueued()).length > before);
    await stop();
    expect((await enqueued()).slice(before)).toEqual([
      { serverId: lost.uuid, proxyId: lost.uuid, urgent: false },
    ]);
  });
});

describe('what was seen of tunnels', () => {
  it('is stored where it is new, and pages that show it are notified', async () => {
    const [one, other] = [await newProxy(), await newProxy()];
    const applied = one.applied();
    await one.reported(1, { kind: 'applied', applied });
    const nc = await openBus(stores.stores.natsUrl('operator'), 'operator');
    const received: string[] = [];
    nc.subscribe('health.>', { callback: (_error, { subject }) => void received.push(subject) });
    await nc.flush();
    const seen = [
      { proxyId: one.uuid, tunnelId: applied.tunnelId, health: 'healthy' as const },
      { proxyId: other.uuid, tunnelId: randomUUID(), health: 'healthy' as const },
      { proxyId: randomUUID(), tunnelId: randomUUID(), health: 'healthy' as const },
    ];
    expect(await observe(context(), { seen })).toEqual({ changed: 1 });
    const row = await one.row();
    expect(row).toMatchObject({ status: 'active', tunnelHealth: 'healthy' });
    expect(await observe(context(), { seen })).toEqual({ changed: 0 });
    expect((await one.row()).version).toBe(row.version);
    expect(await other.row()).toMatchObject({ status: 'pending', version: 1 });
    await until('the events', () => received.length === 4);
    expect(new Set(received)).toEqual(
      new Set([
        `health.proxies.${one.userId}.${row.id}`,
        `health.proxies.${other.userId}.${(await other.row()).id}`,
      ]),
    );
    await nc.close();
  });
});

describe('the name of a deleted proxy', () => {
  it('goes to no other proxy until its record is gone, whatever becomes of the attempts to remove it', async () => {
    const proxy = await newProxy();
    const stranger = () => reserve(proxy.hostname, proxy.userId + 1_000);
    await proxy.reported(1, { kind: 'applied', applied: proxy.applied() });
    await expect(stranger()).rejects.toMatchObject(taken);
    const { generation } = await proxy.deleted();
    const failures: Outcome[] = [
      { kind: 'failing', reason: 'provider_unavailable' },
      { kind: 'refused', reason: 'tunnel_refused' },
      { kind: 'dead_letter', reason: 'provider_unavailable' },
    ];
    for (const outcome of failures) {
      expect(await proxy.reported(generation, outcome)).toBe(true);
      await expect(stranger(), outcome.kind).rejects.toMatchObject(taken);
    }
    await proxy.reported(generation, { kind: 'removed' });
    await expect(stranger()).rejects.toMatchObject(taken);
    await proxies.sql`update reserved_hostnames set released_at = now() - interval '8 days'`;
    await stranger();
  });

  it('is its owner’s at once, and then that of their new proxy: the old one no longer gives it back', async () => {
    const proxy = await newProxy();
    const { generation } = await proxy.deleted();
    await newProxy(proxy.hostname, proxy.userId);
    await proxy.reported(generation, { kind: 'removed' });
    await expect(reserve(proxy.hostname, proxy.userId + 1_000)).rejects.toMatchObject(taken);
  });
});

describe('a name that looks like another', () => {
  const similar = { code: 'subdomain_similar', params: { subdomain: expect.any(String) } };

  it('is refused to all but the other’s owner, until that is free', async () => {
    const proxy = await newProxy('mole1.example.com');
    const stranger = (label: string) => reserve(`${label}.example.com`, proxy.userId + 1_000);
    for (const label of ['molel', 'rnole1', 'm0le1'])
      await expect(stranger(label), label).rejects.toMatchObject(similar);
    await expect(stranger('mole1')).rejects.toMatchObject(taken);
    await newProxy('molel.example.com', proxy.userId);
    await newProxy('mole2.example.com', proxy.userId + 1_000);
    const { generation } = await proxy.deleted();
    await proxy.reported(generation, { kind: 'removed' });
    await expect(stranger('mole1')).rejects.toMatchObject(similar);
  });

  it('is not given while the other is being taken', async () => {
    const { row } = await newProxy();
    const { uuid, userId } = await row();
    let late: Promise<unknown> | undefined;
    await proxies.transaction(async (tx) => {
      await reserveHostname(tx, 'bo10.example.com', { uuid, userId });
      late = reserve('bol0.example.com', userId + 1_000).catch((error: unknown) => error);
      await until(
        'the other waits',
        async () => (await proxies.sql`select 1 from pg_locks where not granted`).length,
      );
    });
    expect(await late).toMatchObject(similar);
  });

  it('is compared by the database as by the contract', async () => {
    const labels = ['mo-10', 'a', 'rn0', '1-1', 'zimmer101'];
    const rows = await proxies.sql<{ hostname: string; skeleton: string }[]>`
      insert into hostnames (hostname, proxy_uuid)
      select label || '.m0.example', gen_random_uuid() from unnest(${labels}::text[]) label
      returning hostname, skeleton`;
    for (const { hostname, skeleton } of rows)
      expect(skeleton).toBe(labelSkeleton(hostname.split('.')[0] ?? ''));
  });
});
