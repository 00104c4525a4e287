import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { holdJobs, until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { retryDeadLetters } from '../dead-letters/retry.ts';
import { claimDueJobs as holdAll, type Job } from './claim.ts';
import { startJobRunner } from './runner.ts';
import { enqueue } from './sql.ts';

const stores = useStores();
let sql: Sql;
let workerUrl = '';

beforeAll(async () => {
  workerUrl = (await newSchemas(stores, 'tunnel-worker'))('tunnel-worker');
  sql = openDatabase(workerUrl, 4);
});
beforeEach(() => sql`delete from jobs`);
afterAll(() => sql?.end({ timeout: 5 }));

const quick = { leaseMs: 300, renewEveryMs: 50 };
type Options = Parameters<typeof holdAll>[2];
const claimDueJobs = async (on: Sql, options?: Options) => (await holdAll(on, 1, options))[0] ?? null;
/** The lease of the one proxy that is due. */
const hold = async (options: Options = quick) => {
  const job = await claimDueJobs(sql, options);
  if (!job) throw new Error('nothing is due');
  return job;
};
const holdNew = async () => {
  await enqueue(sql, [{ serverId: randomUUID() }]);
  return hold();
};
const rows = () => sql`select * from jobs`;

describe('a job', () => {
  it('is held by one, of many who want it at once', async () => {
    await enqueue(sql, [{ serverId: randomUUID() }]);
    const taken = await Promise.all(Array.from({ length: 10 }, () => claimDueJobs(sql)));
    const held = taken.filter((job) => job !== null);
    expect(held).toHaveLength(1);
    await held[0]?.complete();
    expect(await rows()).toEqual([]);
  });

  it('is renewed for as long as it is held', async () => {
    const job = await holdNew();
    const end = async () => (await sql<{ expiresAt: Date }[]>`select expires_at from jobs`)[0]?.expiresAt;
    const before = await end();
    await until('it was renewed', async () => ((await end()) ?? 0) > (before ?? 0));
    expect(job.signal.aborted).toBe(false);
    await job.complete();
  });

  it('notifies its holder when another has taken it', async () => {
    const job = await holdNew();
    await sql`update jobs set holder = ${randomUUID()}`;
    if (!job.signal.aborted) await once(job.signal, 'abort');
    // What the former holder gives back no longer counts.
    await job.complete();
    expect(await rows()).toHaveLength(1);
  });

  it('notifies its holder when it can no longer be renewed', async () => {
    await enqueue(sql, [{ serverId: randomUUID() }]);
    const own = openDatabase(workerUrl, 1);
    const [startedAt, leaseMs] = [performance.now(), 3_000];
    const job = await claimDueJobs(own, { leaseMs, renewEveryMs: 1_500 });
    await own.end();
    if (!job?.signal.aborted) await once(job?.signal ?? new EventTarget(), 'abort');
    // While no other worker may have it yet.
    expect(performance.now() - startedAt).toBeLessThan(leaseMs);
    await job?.complete().catch(() => {});
  });

  it('outlasts a database that is away for a moment', async () => {
    let failures = 0;
    let isAway = false;
    const shaky = new Proxy(sql, {
      apply: (target, self, words) => {
        if (!isAway) return Reflect.apply(target, self, words);
        failures += 1;
        throw new Error('the database is away');
      },
    });
    await enqueue(sql, [{ serverId: randomUUID() }]);
    // The time since it was renewed counts, and no other.
    const leaseMs = Math.round(performance.now() * 1.5);
    const job = await claimDueJobs(shaky, { leaseMs, renewEveryMs: 20 });
    isAway = true;
    await until('it was not renewed', () => failures > 2);
    isAway = false;
    expect(job?.signal.aborted).toBe(false);
    await job?.complete();
  });

  it('that was given back is renewed no more', async () => {
    const ended = await holdNew();
    await ended.complete();
    const other = await holdNew();
    const renewed = async () => (await sql<{ expiresAt: Date }[]>`select expires_at from jobs`)[0]?.expiresAt;
    for (let count = 0; count < 3; count += 1) {
      const before = (await renewed()) ?? 0;
      await until('the other was renewed', async () => ((await renewed()) ?? 0) > before);
    }
    expect(ended.signal.aborted).toBe(false);
    await other.complete();
  });

  it('whose holder has died goes to the next, who waits and looks like the first, and is in doubt', async () => {
    const serverId = randomUUID();
    await enqueue(sql, [{ serverId, urgent: true }]);
    const dead = await hold({ leaseMs: 100, renewEveryMs: 60_000 });
    expect(dead).toMatchObject({ urgent: true, unverified: false });
    const next = await until('it has run out', () => claimDueJobs(sql, { urgentOnly: true }));
    expect(next).toMatchObject({ serverId, urgent: true, unverified: true });
    await dead.complete();
    expect(await rows()).toHaveLength(1);
    await next.complete();
  });

  it('that was not ended clean leaves the next holder in doubt', async () => {
    const serverId = randomUUID();
    const failure = { generation: 4, failures: 2, retryInMs: 60_000 };
    await (await holdNew()).complete();
    await enqueue(sql, [{ serverId }]);
    await (await hold()).fail(failure);
    expect(await claimDueJobs(sql)).toBeNull();
    await enqueue(sql, [{ serverId }]);
    const second = await hold();
    expect(second).toMatchObject({ unverified: true, generation: 4, failures: 2, putOff: true });
    await second.return();
    expect(await claimDueJobs(sql)).toBeNull();
    await sql`update jobs set due_at = now(), retry_at = now()`;
    const third = await hold();
    expect(third).toMatchObject({ unverified: true, failures: 2, putOff: false });
    await third.complete();
    await enqueue(sql, [{ serverId }]);
    expect(await hold()).toMatchObject({ unverified: false, generation: null, failures: 0 });
  });
});

it('a clean end, and an operator’s retry, leave nothing to the next run', async () => {
  const serverId = randomUUID();
  const state = async () => {
    const [job] = await sql<{ left: object }[]>`
      select to_jsonb(jobs) - '{due_at, request_id, traceparent}'::text[] as left from jobs`;
    return job?.left;
  };
  const failAsDeadLetter = async () => {
    await sql`update jobs set full_scan = true`;
    const deadLetter = { reason: 'zone_full', detail: 'full' };
    await (await hold()).fail({ generation: 4, failures: 3, retryInMs: 0, deadLetter });
  };
  await enqueue(sql, [{ serverId }]);
  const fresh = await state();
  await failAsDeadLetter();
  const last = await hold();
  // Another is requested meanwhile: the row stays.
  await enqueue(sql, [{ serverId }]);
  await last.complete();
  expect(await state()).toEqual(fresh);
  await failAsDeadLetter();
  await retryDeadLetters({ sql, jobs: { kick: () => {} } } as never, {});
  // What is known of the provider stays, and that the run must look.
  expect(await state()).toEqual({ ...fresh, generation: 4, unverified: true, full_scan: true });
});

describe('a job that is given back before its work was done', () => {
  const dueInMs = async () => {
    const [row] = await sql<{ ms: number | null }[]>`
      select (extract(epoch from due_at - now()) * 1000)::float8 as ms from jobs`;
    return row?.ms;
  };
  const letTimePass = () => sql`update jobs set due_at = now() where due_at is not null`;

  it('and untouched is looked at again when it was asked for, without a doubt; otherwise forgotten', async () => {
    const job = await holdNew();
    await job.return(60_000);
    expect(await claimDueJobs(sql)).toBeNull();
    expect(await dueInMs()).toBeGreaterThan(50_000);
    await letTimePass();
    const again = await hold();
    expect(again).toMatchObject({ serverId: job.serverId, unverified: false });
    await again.return();
    expect(await rows()).toEqual([]);
  });

  it('and broken off is looked at again at its time, in doubt', async () => {
    const job = await holdNew();
    await job.abort(60_000);
    expect(await dueInMs()).toBeGreaterThan(50_000);
    await letTimePass();
    const again = await hold();
    expect(again).toMatchObject({ serverId: job.serverId, unverified: true });
    await again.abort(0);
    expect(await hold()).toMatchObject({ unverified: true });
  });

  it('is urgent again only where somebody waited for it, and still does', async () => {
    const serverId = randomUUID();
    const failure = { generation: 1, failures: 1, retryInMs: null };
    for (const urgent of [true, false]) {
      await enqueue(sql, [{ serverId, urgent }]);
      await (await hold()).return(0);
      const again = await hold();
      expect(again.urgent).toBe(urgent);
      await again.fail(failure);
      // One that is put off without a time has nobody who waits any more.
      await enqueue(sql, [{ serverId, urgent }]);
      await (await hold()).return();
      await enqueue(sql, [{ serverId }]);
      const last = await hold();
      expect(last.urgent).toBe(false);
      await last.complete();
    }
  });

  it('is a dead letter with its reason since the first time, until it is not', async () => {
    const serverId = randomUUID();
    const failed = { generation: 1, failures: 3, retryInMs: 0 };
    const deadLetter = async () =>
      (await sql`select dead_letter_at, dead_letter_reason, dead_letter_detail from jobs`)[0];
    await enqueue(sql, [{ serverId }]);
    await (await hold()).fail({ ...failed, deadLetter: { reason: 'zone_full', detail: 'full' } });
    const first = await deadLetter();
    expect(first).toMatchObject({ deadLetterReason: 'zone_full', deadLetterDetail: 'full' });
    const again = await hold();
    expect(again.isDeadLetter).toBe(true);
    await again.fail({ ...failed, deadLetter: { reason: 'tunnel_refused', detail: 'no' } });
    expect(await deadLetter()).toEqual({
      ...{ deadLetterAt: first?.deadLetterAt, deadLetterReason: 'tunnel_refused', deadLetterDetail: 'no' },
    });
    await (await hold()).fail(failed);
    expect(await deadLetter()).toEqual({
      deadLetterAt: null,
      deadLetterReason: null,
      deadLetterDetail: null,
    });
    const last = await hold();
    expect(last.isDeadLetter).toBe(false);
    await last.complete();
  });
});

describe('a job request', () => {
  it('that comes while its proxy is held is kept for afterwards', async () => {
    const failure = { generation: 1, failures: 1, retryInMs: 60_000 };
    const waysBack = [
      (job: Job) => job.complete(),
      (job: Job) => job.return(),
      (job: Job) => job.fail(failure),
    ];
    for (const giveBack of waysBack) {
      const serverId = randomUUID();
      await enqueue(sql, [{ serverId }]);
      const job = await hold();
      await enqueue(sql, [{ serverId, urgent: true }]);
      expect(await claimDueJobs(sql)).toBeNull();
      await giveBack(job);
      const again = await hold();
      expect(again).toMatchObject({ serverId, urgent: true });
      await again.complete();
      expect(await rows()).toEqual([]);
    }
  });

  it('of somebody who waits comes before all others', async () => {
    for (let count = 0; count < 3; count += 1) await enqueue(sql, [{ serverId: randomUUID() }]);
    const urgent = randomUUID();
    await enqueue(sql, [{ serverId: urgent, urgent: true }]);
    expect((await hold()).serverId).toBe(urgent);
    expect(await claimDueJobs(sql, { urgentOnly: true })).toBeNull();
    expect(await claimDueJobs(sql)).not.toBeNull();
  });

  it('of somebody who waits still is, whatever requests the same proxy before or after', async () => {
    const serverId = randomUUID();
    const [urgent, ordinary] = [{ serverId, urgent: true }, { serverId }];
    const orders = [
      [[urgent], [ordinary]],
      [[ordinary], [urgent]],
      [[urgent, ordinary]],
      [[ordinary, urgent]],
    ];
    for (const requests of orders) {
      for (const together of requests) await enqueue(sql, together);
      const job = await hold();
      expect(job.urgent, JSON.stringify(requests)).toBe(true);
      await job.complete();
    }
  });

  it('is taken up with others, as many as there is room for, those somebody waits for among them', async () => {
    for (let count = 0; count < 4; count += 1) await enqueue(sql, [{ serverId: randomUUID() }]);
    const urgent = randomUUID();
    await enqueue(sql, [{ serverId: urgent, urgent: true }]);
    const [first, second] = await Promise.all([holdAll(sql, 3), holdAll(sql, 3)]);
    expect([first.length, second.length].sort()).toEqual([2, 3]);
    const all = [...first, ...second];
    expect(new Set(all.map(({ serverId }) => serverId)).size).toBe(5);
    expect(new Set(all.map(({ holder }) => holder)).size).toBe(5);
    expect(all.filter((job) => job.urgent).map(({ serverId }) => serverId)).toEqual([urgent]);
    for (const job of all) await job.complete();
    expect(await rows()).toEqual([]);
  });

  it('is begun when it comes and when another ends, without waiting for the next look', async () => {
    onTestFinished(holdJobs(500));
    const { lifecycle, stop } = newProcess();
    const running = new Map<string, Job>();
    let begun = 0;
    await enqueue(sql, [{ serverId: randomUUID() }]);
    const runner = startJobRunner(sql, lifecycle, async (job) => {
      begun += 1;
      running.set(job.serverId, job);
      await until('its end', () => !running.has(job.serverId));
      await job.complete();
    });
    await until('the one of its first look', () => begun === 1);
    running.clear();
    await until('its end', async () => (await rows()).length === 0);
    begun = 0;
    await enqueue(
      sql,
      Array.from({ length: 7 }, () => ({ serverId: randomUUID() })),
    );
    runner.kick();
    // Of those that nobody waits for a process works on five at once.
    await until('five of them', () => begun === 5);
    expect(running.size).toBe(5);
    running.clear();
    await until('the others', () => begun === 7);
    running.clear();
    await runner.stop();
    await stop();
    expect(await rows()).toEqual([]);
  });
});
