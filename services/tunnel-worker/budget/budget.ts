import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@talpa/service-kit/log';
import type { Redis } from '@talpa/service-kit/redis/connect';
import type { Settings } from '@talpa/service-kit/settings';
import { countPause, countWait, measureBudget } from './metrics.ts';
import { createShared } from './shared.ts';
import { type Allowance, type Lane, Window } from './window.ts';

/** Calls of the provider that may be made; one budget for all workers. */
export interface Budget {
  /**
   * Takes one call from the budget, waiting at most so many ms.
   * @throws BudgetExhausted when it would have to wait longer
   */
  acquire(lane: Lane, patienceMs: number, signal: AbortSignal): Promise<void>;
  /** The provider refuses all calls for so many ms: every worker waits. Never fails. */
  pause(ms: number): Promise<void>;
}

/** The budget is used up, or the provider has asked for a pause. */
export class BudgetExhausted extends Error {
  /** Whole ms. */
  readonly waitMs: number;

  constructor(leftMs: number) {
    const waitMs = Math.ceil(leftMs);
    super(`no call to the provider may be made for ${waitMs} ms`);
    this.name = 'BudgetExhausted';
    this.waitMs = waitMs;
  }
}

export type BudgetSettings = Settings<'PROVIDER_CALL_LIMIT_PER_5_MINUTES' | 'PROVIDER_INTERACTIVE_SHARE'>;

/** Without Redis, and before it has returned how many workers there are. */
const assumedWorkers = 4;
/** What no provider means seriously. */
const longestPauseMs = 15 * 60_000;

/**
 * The budget counted in Redis. While Redis is away each worker takes its share; and none alone exceeds the
 * whole, even when Redis has forgotten what was called.
 */
export function createBudget(redis: Redis, settings: BudgetSettings, log: Log): Budget {
  const inRedis = createShared(redis, randomUUID());
  const own = new Window();
  const whole = allowance(settings, settings.PROVIDER_CALL_LIMIT_PER_5_MINUTES);
  measureBudget(redis, whole);
  let workers = assumedWorkers;
  let pausedUntil = 0;

  const shared = async (lane: Lane): Promise<number> => {
    try {
      const taken = await inRedis.take(lane, whole);
      ({ workers } = taken);
      return taken.waitMs;
    } catch (error) {
      log.debug({ err: error, workers }, 'Redis cannot be asked: this worker takes its share');
      return own.waitFor(
        lane,
        allowance(settings, Math.floor(settings.PROVIDER_CALL_LIMIT_PER_5_MINUTES / workers)),
      );
    }
  };
  const take = async (lane: Lane): Promise<number> => {
    const alone = Math.max(pausedUntil - performance.now(), own.waitFor(lane, whole));
    const waitMs = alone > 0 ? alone : await shared(lane);
    if (waitMs <= 0) own.count(lane);
    return waitMs;
  };

  return {
    acquire: async (lane, patienceMs, signal) => {
      const end = performance.now() + patienceMs;
      for (;;) {
        signal.throwIfAborted();
        const waitMs = await take(lane);
        if (waitMs <= 0) return;
        countWait(lane);
        if (performance.now() + waitMs > end) throw new BudgetExhausted(waitMs);
        await sleep(waitMs, undefined, { signal });
      }
    },
    pause: async (ms) => {
      const pauseMs = Math.min(ms, longestPauseMs);
      pausedUntil = Math.max(pausedUntil, performance.now() + pauseMs);
      countPause();
      log.warn({ pauseMs }, 'tunnel provider is rate limiting: all provider calls pause');
      await inRedis.pause(pauseMs).catch(() => {});
    },
  };
}

function allowance(settings: BudgetSettings, all: number): Allowance {
  return { all, background: Math.floor(all * (1 - settings.PROVIDER_INTERACTIVE_SHARE)) };
}
