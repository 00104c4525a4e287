import { createLog } from '@talpa/service-kit/log';
import { connectRedis, type Redis } from '@talpa/service-kit/redis/connect';
import { scrape } from '@talpa/service-kit/telemetry/metrics';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { type PlainRedis, startPlainRedis } from '@talpa/test-kit/plain-redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Budget, BudgetExhausted, createBudget } from './budget.ts';
import { type Lane, slotMs, Window } from './window.ts';

const { lifecycle, stop } = newProcess();
let server: PlainRedis;
beforeAll(async () => {
  server = await startPlainRedis();
});
afterAll(async () => {
  await stop();
  await server?.stop();
});

async function connected(): Promise<Redis> {
  const redis = connectRedis(server.url, lifecycle);
  await new Promise((resolve) => redis.once('ready', resolve));
  return redis;
}
beforeEach(() => server.client.flushall());

const limits = { PROVIDER_CALL_LIMIT_PER_5_MINUTES: 100, PROVIDER_INTERACTIVE_SHARE: 0.4 };
const newWorker = async (redis?: Redis) => createBudget(redis ?? (await connected()), limits, lifecycle.log);
const never = new AbortController().signal;

/** How many calls workers may make in rotation, before all of them have to wait. */
async function allowed(lane: Lane, ...workers: Budget[]): Promise<number> {
  let taken = 0;
  for (let refused = 0; refused < workers.length; ) {
    const worker = workers[(taken + refused) % workers.length];
    try {
      await worker?.acquire(lane, 0, never);
      taken += 1;
      refused = 0;
    } catch (error) {
      expect(error).toBeInstanceOf(BudgetExhausted);
      refused += 1;
    }
  }
  return taken;
}

describe('the provider’s budget', () => {
  it('is one for all workers', async () => {
    expect(await allowed('interactive', await newWorker(), await newWorker(), await newWorker())).toBe(100);
  });

  it('is exact when workers ask at the same time, and counts what is asked on one connection one by one', async () => {
    const workers = [await newWorker(), await newWorker(), await newWorker()];
    const lanes = ['interactive', 'background'] as const;
    const asked = Array.from({ length: 180 }, (_, place) =>
      workers[place % 3]?.acquire(lanes[place % 2] ?? 'interactive', 0, never).then(() => lanes[place % 2]),
    );
    const taken = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled');
    const of = (lane: Lane) => taken.filter((one) => 'value' in one && one.value === lane).length;
    // A tenth of the background's 60 may go at once.
    expect([of('background'), of('interactive')]).toEqual([6, 90]);
    expect(await allowed('interactive', ...workers)).toBe(4);
  });

  it('keeps its reserve for people: background calls never fill it, and are spread over the window', async () => {
    const workers = [await newWorker(), await newWorker()];
    const background = await allowed('background', ...workers);
    expect(background).toBe(6);
    expect(await allowed('interactive', ...workers)).toBe(100 - background);
    expect(await allowed('background', ...workers)).toBe(0);
  });

  it('that people have used beyond the background’s part is closed to the background', async () => {
    const [busy, other] = [await newWorker(), await newWorker()];
    for (let count = 0; count < 60; count += 1) await busy.acquire('interactive', 0, never);
    expect(await allowed('background', other)).toBe(0);
    expect(await allowed('interactive', other)).toBe(40);
  });

  it('pauses for all workers when the provider limits one, interactive calls included', async () => {
    const [notified, other] = [await newWorker(), await newWorker()];
    await notified.pause(30_000);
    await notified.pause(1_000);
    for (const worker of [notified, other]) {
      const refusal = await worker.acquire('interactive', 10_000, never).catch((error) => error);
      expect(refusal).toBeInstanceOf(BudgetExhausted);
      expect(refusal.waitMs).toBeGreaterThan(25_000);
      // The database takes no part of a millisecond.
      expect(refusal.waitMs % 1).toBe(0);
    }
  });

  it('lets a call wait for the budget when it is free soon enough', async () => {
    const [notified, other] = [await newWorker(), await newWorker()];
    await notified.pause(200);
    const startedAt = performance.now();
    await other.acquire('interactive', 5_000, never);
    expect(performance.now() - startedAt).toBeGreaterThan(150);
  });

  it('is not waited for by a call that is broken off, which costs nothing', async () => {
    const worker = await newWorker();
    const ended = AbortSignal.abort(new Error('the process stops'));
    await expect(worker.acquire('interactive', 0, ended)).rejects.toThrow('the process stops');
    await worker.pause(60_000);
    const stopping = new AbortController();
    const waiting = worker.acquire('interactive', 120_000, stopping.signal);
    stopping.abort(new Error('the process stops'));
    await expect(waiting).rejects.toThrow();
    await server.client.flushall();
    expect(await allowed('interactive', await newWorker())).toBe(100);
  });

  it('never pauses for longer than a provider can mean', async () => {
    const worker = await newWorker();
    await worker.pause(24 * 3_600_000);
    const refusal = await worker.acquire('interactive', 0, never).catch((error) => error);
    expect(refusal).toMatchObject({ name: 'BudgetExhausted' });
    expect(refusal.message).toBe(`no call to the provider may be made for ${refusal.waitMs} ms`);
    expect(refusal.waitMs).toBeGreaterThan(14 * 60_000);
    expect(refusal.waitMs).toBeLessThanOrEqual(15 * 60_000);
  });

  it('pauses at least for the worker that was limited while Redis is away, and no shorter for a second response', async () => {
    const redis = await connected();
    const worker = await newWorker(redis);
    redis.disconnect();
    await worker.pause(30_000);
    await worker.pause(1_000);
    const refusal = await worker.acquire('interactive', 10_000, never).catch((error) => error);
    expect(refusal.waitMs).toBeGreaterThan(25_000);
  });

  it('is divided by four while nobody knows how many workers there are, and keeps its reserve', async () => {
    const redises = [await connected(), await connected()];
    const workers = await Promise.all(redises.map(newWorker));
    for (const redis of redises) redis.disconnect();
    const [hurried, urgent] = workers;
    if (!hurried || !urgent) throw new Error('there is no worker');
    expect(await allowed('background', hurried)).toBe(2);
    expect(await allowed('interactive', urgent)).toBe(25);
  });

  it('is divided among the workers seen last while Redis is away', async () => {
    const redises = await Promise.all(Array.from({ length: 5 }, connected));
    const workers = await Promise.all(redises.map(newWorker));
    for (const worker of [...workers, ...workers]) await worker.acquire('interactive', 0, never);
    for (const redis of redises) redis.disconnect();
    // Two of each one's twenty are used up already.
    for (const worker of workers) expect(await allowed('interactive', worker)).toBe(18);
  });

  it('is not used up by calls that it refused', async () => {
    const [busy, other] = [await newWorker(), await newWorker()];
    expect(await allowed('interactive', busy)).toBe(100);
    for (let count = 0; count < 3; count += 1) expect(await allowed('interactive', other)).toBe(0);
    await server.client.flushall();
    expect(await allowed('interactive', other)).toBe(100);
  });

  it('is not exceeded by one worker when Redis forgets it', async () => {
    const redis = await connected();
    const worker = await newWorker(redis);
    expect(await allowed('interactive', worker)).toBe(100);
    await redis.flushall();
    expect(await allowed('interactive', worker)).toBe(0);
  });
});

describe('what operators see of the budget', () => {
  it('is how much is allowed and left, for how long it pauses, and how often calls had to wait', async () => {
    const figure = async (name: string) => {
      const line = (await scrape()).split('\n').find((one) => one.startsWith(`talpa_${name} `));
      return Number(line?.split(' ')[1]);
    };
    const worker = await newWorker();
    await worker.acquire('interactive', 0, never);
    const [waits, pauses] = ['provider_waits_total{lane="interactive"}', 'provider_pauses_total'];
    const before = [await figure(waits), await figure(pauses)];
    await worker.pause(30_000);
    await expect(worker.acquire('interactive', 0, never)).rejects.toBeInstanceOf(BudgetExhausted);
    expect([await figure(waits), await figure(pauses)]).toEqual(before.map((count) => count + 1));
    expect(await figure('provider_paused_seconds')).toBeGreaterThan(25);
    expect(await figure('provider_budget_calls{lane="background"}')).toBe(60);
    expect(await figure('provider_budget_left_calls{lane="interactive"}')).toBe(99);
  });

  it('is a warning when the provider asks for a pause, and hardly a word when Redis is away', async () => {
    const log = createLog('tunnel-worker', 'silent');
    const [warned, debugged] = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'debug')];
    const redis = await connected();
    const worker = createBudget(redis, limits, log);
    await worker.pause(20);
    redis.disconnect();
    await worker.acquire('interactive', 5_000, never);
    const words = expect.stringMatching(/./);
    expect(warned.mock.calls).toEqual([[{ pauseMs: 20 }, words]]);
    expect(debugged.mock.calls).toEqual([[{ err: expect.any(Error), workers: 4 }, words]]);
  });
});

describe('a window', () => {
  it('frees a call five minutes after it was made, and no sooner', () => {
    let now = 0;
    const window = new Window(() => now);
    const allowance = { all: 2, background: 1 };
    window.count('interactive');
    window.count('interactive');
    for (now = 0; now <= 300_000; now += slotMs)
      expect(window.waitFor('interactive', allowance)).toBeGreaterThan(0);
    now = 310_000;
    expect(window.waitFor('interactive', allowance)).toBe(0);
  });
});
