import type { Redis } from '@talpa/service-kit/redis/connect';
import type { ChainableCommander } from 'ioredis';
import { type Allowance, type Lane, slotMs, slotsCounted, slotsSpread, waitFor } from './window.ts';

const keys = ['budget:calls', 'budget:pause', 'budget:workers'] as const;
const workerSeenMs = 60_000;

/** What all workers together know of the budget now. */
export interface Acquisition {
  /** How long the call has to wait, in ms; 0: it may go, and is counted. */
  readonly waitMs: number;
  /** How many workers have called lately. */
  readonly workers: number;
}

/**
 * Counts a call of all workers in Redis, if it may go: fields `<slot>` and `<slot>b` (background) of a hash. Without a script of
 * its own (Redis then needs to let no worker run any), it counts again when somebody else has counted meanwhile.
 */
export function createShared(redis: Redis, workerId: string) {
  let last: Promise<unknown> = Promise.resolve();
  const takeNow = async (lane: Lane, allowance: Allowance): Promise<Acquisition> => {
    for (;;) {
      const read = redis
        .pipeline()
        .unwatch()
        .watch(...keys.slice(0, 2));
      const [now, state] = stateOf((await results(readBudget(read).exec())).slice(2));
      const slot = Math.floor(now / slotMs);
      const waitMs = state.pauseMs || waitFor(lane, state, allowance, (slot + 1) * slotMs - now);
      const counts = waitMs > 0 ? redis.pipeline() : redis.multi();
      counts.zadd(keys[2], now, workerId).pexpire(keys[2], workerSeenMs);
      counts.zremrangebyscore(keys[2], '-inf', now - workerSeenMs).zcard(keys[2]);
      if (waitMs <= 0) {
        counts.hincrby(keys[0], `${slot}`, 1).pexpire(keys[0], slotMs * (slotsCounted + 1));
        if (lane === 'background') counts.hincrby(keys[0], `${slot}b`, 1);
        if (state.outdated.length > 0) counts.hdel(keys[0], ...state.outdated);
      }
      const done = await counts.exec();
      if (done) return { waitMs, workers: Number((await results(done))[3]) };
    }
  };
  return {
    /** @throws Error when Redis cannot be asked */
    take(lane: Lane, allowance: Allowance): Promise<Acquisition> {
      // One after the other: what is watched belongs to the connection.
      const taken = last.then(() => takeNow(lane, allowance));
      last = taken.catch(() => {});
      return taken;
    },
    /** No worker calls the provider for so long; a pause is never shortened. @throws Error when Redis cannot be asked */
    async pause(ms: number): Promise<void> {
      const whole = Math.ceil(ms);
      await results(
        redis.pipeline().set(keys[1], '1', 'PX', whole, 'NX').pexpire(keys[1], whole, 'GT').exec(),
      );
    },
  };
}

/** What is left of the budget, without taking any of it. */
export interface BudgetState {
  /** Calls counted in the window, and those of the background among the latest slots. */
  readonly used: number;
  readonly recentBackground: number;
  /** How long no call may be made, in ms. */
  readonly pauseMs: number;
  /** Workers that have called lately. */
  readonly workers: number;
}

/** @throws Error when Redis cannot be asked */
export async function readShared(redis: Redis): Promise<BudgetState> {
  const [, state] = stateOf(await results(readBudget(redis.pipeline()).exec()));
  return state;
}

const readBudget = (pipeline: ChainableCommander) =>
  pipeline.time().hgetall(keys[0]).pttl(keys[1]).zcard(keys[2]);

/** What `readBudget` has read: Redis's time in ms, and the state. */
function stateOf([time, calls, pause, workers]: unknown[]): [number, BudgetState & { outdated: string[] }] {
  const [seconds = 0, microseconds = 0] = (time as string[]).map(Number);
  const now = seconds * 1_000 + Math.floor(microseconds / 1_000);
  const slot = Math.floor(now / slotMs);
  let used = 0;
  let recentBackground = 0;
  const outdated: string[] = [];
  for (const [field, count] of Object.entries(calls as Record<string, string>)) {
    const at = Number.parseInt(field, 10);
    if (at <= slot - slotsCounted) outdated.push(field);
    else if (!field.endsWith('b')) used += Number(count);
    else if (at > slot - slotsSpread) recentBackground += Number(count);
  }
  return [
    now,
    { used, recentBackground, pauseMs: Math.max(0, Number(pause)), workers: Number(workers), outdated },
  ];
}

/** What commands sent together have returned. @throws Error of the first that failed */
async function results(
  sent: Awaited<ReturnType<ChainableCommander['exec']>> | ReturnType<ChainableCommander['exec']>,
) {
  return ((await sent) ?? []).map(([error, result]) => {
    if (error) throw error;
    return result;
  });
}
