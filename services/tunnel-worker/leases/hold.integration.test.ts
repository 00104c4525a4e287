import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openDatabase, type Sql } from '@talpa/service-kit/database/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSchemas } from '../../../tests/kit/embedded-provider.ts';
import { useStores } from '../../../tests/kit/stores.ts';
import { until } from '../../../tests/kit/wait.ts';
import { holdLease } from './hold.ts';

const stores = useStores();
let sql: Sql;
let workerUrl = '';

beforeAll(async () => {
  workerUrl = (await newSchemas(stores, 'worker'))('worker');
  sql = openDatabase(workerUrl, 4);
});
afterAll(() => sql?.end({ timeout: 5 }));

const quick = { leaseMs: 300, renewEveryMs: 50 };
const take = async (proxyId: string, timing = quick) => {
  const lease = await holdLease(sql, proxyId, timing);
  if (!lease) throw new Error('the lease is taken');
  return lease;
};

describe('a lease', () => {
  it('is held by one, of many who want it at once', async () => {
    const proxyId = randomUUID();
    const taken = await Promise.all(Array.from({ length: 10 }, () => holdLease(sql, proxyId)));
    const held = taken.filter((lease) => lease !== null);
    expect(held).toHaveLength(1);
    await held[0]?.end();
    await (await take(proxyId)).end();
  });

  it('is renewed for as long as it is held', async () => {
    const proxyId = randomUUID();
    const lease = await take(proxyId);
    const firstEnd = async () =>
      (await sql<{ expiresAt: Date }[]>`select expires_at from leases where proxy_id = ${proxyId}`)[0]
        ?.expiresAt;
    const before = await firstEnd();
    await until('it was renewed', async () => ((await firstEnd()) ?? 0) > (before ?? 0));
    expect(lease.signal.aborted).toBe(false);
    await lease.end();
  });

  it('tells its holder when another has taken it', async () => {
    const proxyId = randomUUID();
    const lease = await take(proxyId);
    await sql`update leases set holder = ${randomUUID()} where proxy_id = ${proxyId}`;
    if (!lease.signal.aborted) await once(lease.signal, 'abort');
    // What the former holder gives back no longer counts.
    await lease.end();
    expect(await sql`select 1 from leases where proxy_id = ${proxyId}`).toHaveLength(1);
  });

  it('tells its holder when it can no longer be renewed', async () => {
    const own = openDatabase(workerUrl, 1);
    const lease = await holdLease(own, randomUUID(), quick);
    await own.end();
    if (!lease?.signal.aborted) await once(lease?.signal ?? new EventTarget(), 'abort');
    await lease?.leave().catch(() => {});
  });

  it('that was not ended clean leaves the next holder in doubt', async () => {
    const proxyId = randomUUID();
    const first = await take(proxyId);
    expect(first.doubtful).toBe(false);
    await first.leave({ generation: 4, failures: 2, retry: { message: 7, inMs: 60_000 } });
    const second = await take(proxyId);
    expect(second).toMatchObject({
      doubtful: true,
      generation: 4,
      failures: 2,
      retryMessage: 7,
      putOff: true,
    });
    await second.putBack();
    const third = await take(proxyId);
    expect(third).toMatchObject({ doubtful: true, failures: 2 });
    await third.end();
    const last = await take(proxyId);
    expect(last.doubtful).toBe(false);
    await last.putBack();
    expect(await sql`select 1 from leases where proxy_id = ${proxyId}`).toEqual([]);
  });
});
