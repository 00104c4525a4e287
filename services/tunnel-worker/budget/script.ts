import type { Redis } from '@talpa/service-kit/redis/connect';
import { type Allowance, type Lane, slotMs, slotsCounted, slotsSpread } from './window.ts';

const keys = ['budget:calls', 'budget:pause', 'budget:workers'] as const;
const workerSeenMs = 60_000;

/** What all workers together know of the budget now. */
export interface Acquisition {
  /** How long the call has to wait, in ms; 0: it may go, and is counted. */
  readonly waitMs: number;
  /** How many workers have called lately. */
  readonly workers: number;
}

/** Counts a call of all workers in Redis, if it may go. Fields of the hash: `<slot>` and `<slot>b`. */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local slotMs, counted, spread = ${slotMs}, ${slotsCounted}, ${slotsSpread}
local background, all, allBackground = ARGV[1] == 'background', tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZADD', KEYS[3], now, ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - ${workerSeenMs})
local workers = redis.call('ZCARD', KEYS[3])
local pause = redis.call('PTTL', KEYS[2])
if pause > 0 then return { pause, workers } end
local slot, sum, recent = math.floor(now / slotMs), 0, 0
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local at, count = tonumber((fields[i]:gsub('b', ''))), tonumber(fields[i + 1])
  if at <= slot - counted then redis.call('HDEL', KEYS[1], fields[i])
  elseif fields[i]:sub(-1) ~= 'b' then sum = sum + count
  elseif at > slot - spread then recent = recent + count end
end
local full = sum >= (background and allBackground or all)
local hurried = background and recent >= math.ceil(allBackground * spread / (counted - 1))
if full or hurried then return { (slot + 1) * slotMs - now, workers } end
redis.call('HINCRBY', KEYS[1], string.format('%d', slot), 1)
if background then redis.call('HINCRBY', KEYS[1], string.format('%db', slot), 1) end
redis.call('PEXPIRE', KEYS[1], slotMs * (counted + 1))
redis.call('PEXPIRE', KEYS[3], ${workerSeenMs})
return { 0, workers }`;

/** A pause is never shortened. */
const pauseScript = `
if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[2], '1', 'PX', ARGV[1]) end`;

/** A connection that knows the scripts by name: one that was sent before is not sent again. */
export type BudgetRedis = Redis & {
  takeBudget(...args: [...typeof keys, Lane, number, number, string]): Promise<[number, number]>;
  pauseBudget(...args: [...typeof keys, number]): Promise<unknown>;
};

/** Makes the scripts known to a connection, by name. */
export function defineScripts(redis: Redis): BudgetRedis {
  redis.defineCommand('takeBudget', { numberOfKeys: keys.length, lua: takeScript });
  redis.defineCommand('pauseBudget', { numberOfKeys: keys.length, lua: pauseScript });
  return redis as BudgetRedis;
}

/** @throws Error when Redis cannot be asked */
export async function takeShared(
  redis: BudgetRedis,
  workerId: string,
  lane: Lane,
  allowance: Allowance,
): Promise<Acquisition> {
  const { all, background } = allowance;
  const [waitMs, workers] = await redis.takeBudget(...keys, lane, all, background, workerId);
  return { waitMs, workers };
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
  const [calls, pause, workers, [seconds]] = await Promise.all([
    redis.hgetall(keys[0]),
    redis.pttl(keys[1]),
    redis.zcard(keys[2]),
    redis.time(),
  ]);
  const slot = Math.floor((Number(seconds) * 1_000) / slotMs);
  let used = 0;
  let recentBackground = 0;
  for (const [field, count] of Object.entries(calls)) {
    const at = Number.parseInt(field, 10);
    if (at <= slot - slotsCounted) continue;
    if (!field.endsWith('b')) used += Number(count);
    else if (at > slot - slotsSpread) recentBackground += Number(count);
  }
  return { used, recentBackground, pauseMs: Math.max(0, pause), workers };
}

/** No worker calls the provider for so long. @throws Error when Redis cannot be asked */
export async function pauseShared(redis: BudgetRedis, ms: number): Promise<void> {
  await redis.pauseBudget(...keys, Math.ceil(ms));
}
