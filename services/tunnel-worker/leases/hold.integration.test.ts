import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openDatabase, type Sql } from '@talpa/service-kit/database/connect';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newSchemas } from '../../../tests/kit/schemas.ts';
import { useStores } from '../../../tests/kit/stores.ts';
import { until } from '../../../tests/kit/wait.ts';
import { holdDue as holdAll, type Lease } from './hold.ts';
import { wake } from './sql.ts';

const stores = useStores();
let sql: Sql;
let workerUrl = '';

beforeAll(async () => {
  workerUrl = (await newSchemas(stores, 'worker'))('worker');
  sql = openDatabase(workerUrl, 4);
});
beforeEach(() => sql`delete from leases`);
afterAll(() => sql?.end({ timeout: 5 }));

const quick = { leaseMs: 300, renewEveryMs: 50 };
type Options = Parameters<typeof holdAll>[2];
const holdDue = async (on: Sql, options?: Options) => (await holdAll(on, 1, options))[0] ?? null;
/** The lease of the one proxy that is due. */
const hold = async (options: Options = quick) => {
  const lease = await holdDue(sql, options);
  if (!lease) throw new Error('nothing is due');
  return lease;
};
const holdNew = async () => {
  await wake(sql, [{ proxyId: randomUUID() }]);
  return hold();
};
const rows = () => sql`select * from leases`;

describe('a lease', () => {
  it('is held by one, of many who want it at once', async () => {
    await wake(sql, [{ proxyId: randomUUID() }]);
    const taken = await Promise.all(Array.from({ length: 10 }, () => holdDue(sql)));
    const held = taken.filter((lease) => lease !== null);
    expect(held).toHaveLength(1);
    await held[0]?.end();
    expect(await rows()).toEqual([]);
  });

  it('is renewed for as long as it is held', async () => {
    const lease = await holdNew();
    const end = async () => (await sql<{ expiresAt: Date }[]>`select expires_at from leases`)[0]?.expiresAt;
    const before = await end();
    await until('it was renewed', async () => ((await end()) ?? 0) > (before ?? 0));
    expect(lease.signal.aborted).toBe(false);
    await lease.end();
  });

  it('tells its holder when another has taken it', async () => {
    const lease = await holdNew();
    await sql`update leases set holder = ${randomUUID()}`;
    if (!lease.signal.aborted) await once(lease.signal, 'abort');
    // What the former holder gives back no longer counts.
    await lease.end();
    expect(await rows()).toHaveLength(1);
  });

  it('tells its holder when it can no longer be renewed', async () => {
    await wake(sql, [{ proxyId: randomUUID() }]);
    const own = openDatabase(workerUrl, 1);
    const lease = await holdDue(own, quick);
    await own.end();
    if (!lease?.signal.aborted) await once(lease?.signal ?? new EventTarget(), 'abort');
    await lease?.end().catch(() => {});
  });

  it('whose holder has died goes to the next, who waits and looks like the first, and is in doubt', async () => {
    const proxyId = randomUUID();
    await wake(sql, [{ proxyId, urgent: true }]);
    const dead = await hold({ leaseMs: 100, renewEveryMs: 60_000 });
    expect(dead).toMatchObject({ urgent: true, doubtful: false });
    const next = await until('it has run out', () => holdDue(sql, { urgentOnly: true }));
    expect(next).toMatchObject({ proxyId, urgent: true, doubtful: true });
    await dead.end();
    expect(await rows()).toHaveLength(1);
    await next.end();
  });

  it('that was not ended clean leaves the next holder in doubt', async () => {
    const proxyId = randomUUID();
    const troubles = { generation: 4, failures: 2, retryInMs: 60_000 };
    await (await holdNew()).end();
    await wake(sql, [{ proxyId }]);
    await (await hold()).leave(troubles);
    expect(await holdDue(sql)).toBeNull();
    await wake(sql, [{ proxyId }]);
    const second = await hold();
    expect(second).toMatchObject({ doubtful: true, generation: 4, failures: 2, putOff: true });
    await second.putBack();
    expect(await holdDue(sql)).toBeNull();
    await sql`update leases set due_at = now(), retry_at = now()`;
    const third = await hold();
    expect(third).toMatchObject({ doubtful: true, failures: 2, putOff: false });
    await third.end();
    await wake(sql, [{ proxyId }]);
    expect(await hold()).toMatchObject({ doubtful: false, generation: null, failures: 0 });
  });
});

describe('a wake-up', () => {
  it('that comes while its proxy is held is kept for afterwards', async () => {
    const troubles = { generation: 1, failures: 1, retryInMs: 60_000 };
    const waysBack = [
      (lease: Lease) => lease.end(),
      (lease: Lease) => lease.putBack(),
      (lease: Lease) => lease.leave(troubles),
    ];
    for (const giveBack of waysBack) {
      const proxyId = randomUUID();
      await wake(sql, [{ proxyId }]);
      const lease = await hold();
      await wake(sql, [{ proxyId, urgent: true }]);
      expect(await holdDue(sql)).toBeNull();
      await giveBack(lease);
      const again = await hold();
      expect(again).toMatchObject({ proxyId, urgent: true });
      await again.end();
      expect(await rows()).toEqual([]);
    }
  });

  it('of somebody who waits comes before all others', async () => {
    for (let count = 0; count < 3; count += 1) await wake(sql, [{ proxyId: randomUUID() }]);
    const urgent = randomUUID();
    await wake(sql, [{ proxyId: urgent, urgent: true }]);
    expect((await hold()).proxyId).toBe(urgent);
    expect(await holdDue(sql, { urgentOnly: true })).toBeNull();
    expect(await holdDue(sql)).not.toBeNull();
  });

  it('of somebody who waits still is, whoever wakes the same proxy before or after', async () => {
    const proxyId = randomUUID();
    const [urgent, ordinary] = [{ proxyId, urgent: true }, { proxyId }];
    const orders = [
      [[urgent], [ordinary]],
      [[ordinary], [urgent]],
      [[urgent, ordinary]],
      [[ordinary, urgent]],
    ];
    for (const wakes of orders) {
      for (const together of wakes) await wake(sql, together);
      const lease = await hold();
      expect(lease.urgent, JSON.stringify(wakes)).toBe(true);
      await lease.end();
    }
  });

  it('is taken up with others, as many as there is room for, those somebody waits for among them', async () => {
    for (let count = 0; count < 4; count += 1) await wake(sql, [{ proxyId: randomUUID() }]);
    const urgent = randomUUID();
    await wake(sql, [{ proxyId: urgent, urgent: true }]);
    const [first, second] = await Promise.all([holdAll(sql, 3), holdAll(sql, 3)]);
    expect([first.length, second.length].sort()).toEqual([2, 3]);
    const all = [...first, ...second];
    expect(new Set(all.map(({ proxyId }) => proxyId)).size).toBe(5);
    expect(new Set(all.map(({ holder }) => holder)).size).toBe(5);
    expect(all.filter((lease) => lease.urgent).map(({ proxyId }) => proxyId)).toEqual([urgent]);
    for (const lease of all) await lease.end();
    expect(await rows()).toEqual([]);
  });
});
