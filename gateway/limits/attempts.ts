import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundedCache } from '@talpa/service-kit/bounded-cache';
import type { Redis } from '@talpa/service-kit/redis/connect';
import { refusals, tooMany } from './shared.ts';

/** An attempt that is under way. */
export interface Attempt {
  /** Ends it; only a wrong one is counted. Never fails. */
  end(wrong: boolean): Promise<void>;
}

/**
 * A limit on wrong attempts, which all gateways count together in Redis; each alone while Redis is away. As many
 * as may still be wrong run at once, so that guesses made at once do not slip through; right ones wait for each other.
 */
export interface AttemptLimit {
  /** @throws AppError too_many_requests */
  begin(key: string): Promise<Attempt>;
}

const windowMs = 60_000;
/** One that never ended (its gateway died) counts for so long: longer than a sign-in may take. */
const longestMs = 20_000;
/** How long an attempt waits for those before it. */
const patienceMs = 5_000;
const lookAgainMs = 50;

/** What became of a beginning: how long to wait before another try makes sense, in ms; 0: it has begun. */
interface Beginning {
  readonly state: 'begun' | 'wait' | 'refused';
  readonly ms: number;
}
interface Store {
  begin(key: string, id: string): Promise<Beginning>;
  end(key: string, id: string, wrong: boolean): Promise<void>;
}

const beginScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local most, wrong = tonumber(ARGV[1]), tonumber(redis.call('GET', KEYS[1]) or '0')
if wrong >= most then return { 'refused', redis.call('PTTL', KEYS[1]) } end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ${longestMs})
if wrong + redis.call('ZCARD', KEYS[2]) >= most then return { 'wait', 0 } end
redis.call('ZADD', KEYS[2], now, ARGV[2])
redis.call('PEXPIRE', KEYS[2], ${longestMs})
return { 'begun', 0 }`;

const endScript = `
redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[2] == '1' and redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ${windowMs}) end`;

type ScriptedRedis = Redis & {
  beginAttempt(
    wrong: string,
    running: string,
    most: number,
    id: string,
  ): Promise<[Beginning['state'], number]>;
  endAttempt(wrong: string, running: string, id: string, isWrong: '0' | '1'): Promise<unknown>;
};

function inRedis(redis: Redis, name: string, most: number): Store {
  redis.defineCommand('beginAttempt', { numberOfKeys: 2, lua: beginScript });
  redis.defineCommand('endAttempt', { numberOfKeys: 2, lua: endScript });
  const scripted = redis as ScriptedRedis;
  const keysOf = (key: string) => [`limit:${name}:${key}`, `limit:${name}-running:${key}`] as const;
  return {
    begin: async (key, id) => {
      const [state, ms] = await scripted.beginAttempt(...keysOf(key), most, id);
      return { state, ms };
    },
    end: async (key, id, wrong) => {
      await scripted.endAttempt(...keysOf(key), id, wrong ? '1' : '0');
    },
  };
}

interface Counted {
  wrong: number;
  until: number;
  readonly running: Map<string, number>;
}

/** The same in this process's memory. */
export function inMemory(most: number, now: () => number = () => performance.now()): Store {
  const counts = boundedCache<string, Counted>(50_000);
  const countOf = (key: string): Counted => {
    const known = counts.get(key) ?? { wrong: 0, until: 0, running: new Map() };
    counts.set(key, known);
    if (known.until <= now()) known.wrong = 0;
    for (const [id, since] of known.running) if (since <= now() - longestMs) known.running.delete(id);
    return known;
  };
  return {
    begin: async (key, id) => {
      const count = countOf(key);
      if (count.wrong >= most) return { state: 'refused', ms: count.until - now() };
      if (count.wrong + count.running.size >= most) return { state: 'wait', ms: 0 };
      count.running.set(id, now());
      return { state: 'begun', ms: 0 };
    },
    end: async (key, id, wrong) => {
      const count = countOf(key);
      count.running.delete(id);
      if (!wrong) return;
      if (count.wrong === 0) count.until = now() + windowMs;
      count.wrong += 1;
    },
  };
}

/** @param most wrong attempts a key may make a minute. */
export function createAttemptLimit(redis: Redis, name: string, most: number): AttemptLimit {
  refusals.labels(name).inc(0);
  const shared = inRedis(redis, name, most);
  const alone = inMemory(most);
  /** Of each key the last who waits here, one behind the other: only the first asks again. */
  const queues = new Map<string, Promise<unknown>>();
  const ended = new EventTarget();

  const begin = async (key: string, giveUpAt: number): Promise<Attempt> => {
    const id = randomUUID();
    for (;;) {
      let store = shared;
      const { state, ms } = await shared.begin(key, id).catch(() => {
        store = alone;
        return alone.begin(key, id);
      });
      if (state === 'begun')
        return {
          end: async (wrong) => {
            await store.end(key, id, wrong).catch(() => alone.end(key, id, wrong));
            ended.dispatchEvent(new Event(key));
          },
        };
      if (state === 'refused' || performance.now() >= giveUpAt) {
        refusals.labels(name).inc();
        throw tooMany(ms / 1_000);
      }
      await anEnd(key);
    }
  };
  /** Until an attempt has ended here, or might have ended elsewhere. */
  const anEnd = async (key: string): Promise<void> => {
    const looked = new AbortController();
    const end = new Promise((resolve) =>
      ended.addEventListener(key, resolve, { once: true, signal: looked.signal }),
    );
    await Promise.race([end, sleep(lookAgainMs, undefined, { signal: looked.signal })]);
    looked.abort();
  };
  return {
    begin: (key) => {
      const giveUpAt = performance.now() + patienceMs;
      const before = queues.get(key) ?? Promise.resolve();
      const mine = before.then(() => begin(key, giveUpAt));
      const settled = mine.then(
        () => {},
        () => {},
      );
      queues.set(key, settled);
      void settled.then(() => {
        if (queues.get(key) === settled) queues.delete(key);
      });
      return mine;
    },
  };
}
