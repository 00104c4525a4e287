import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Lifecycle } from './process/lifecycle.ts';
import { readinessKey } from './redis/users.ts';
import { counter } from './telemetry/metrics.ts';

/** Whose remembered answers a stamp guards. */
export type StampOwner = number | 'everybody';

const lifetimeSeconds = 10;
/** For so long a successful write proves that Redis takes writes, in ms. */
const provenMs = 100;
const probeKey = 'stamp:probe';
const unread = counter(
  'talpa_stamps_unread_total',
  'Requests for which Redis could not be asked: nothing was remembered',
);

/**
 * Random stamps in Redis that guard what gateways remember. A reader makes one where there is none; a
 * writer deletes it, and everything remembered under it is dead on every replica at once.
 */
export interface Stamps {
  /** The stamps of these owners, made where missing; null when Redis cannot be asked: remember nothing. */
  read(owners: readonly StampOwner[]): Promise<string[] | null>;
  /** Ends these owners' stamps. Never fails: without Redis nobody remembers, or only until they expire. */
  drop(owners: readonly StampOwner[]): Promise<void>;
}

export type { Redis };

const key = (owner: StampOwner) => `stamp:${owner}`;

/** A Redis connection that answers quickly or not at all, and is closed with the process. */
export function connectRedis(url: string, lifecycle: Lifecycle): Redis {
  const redis = new Redis({
    ...redisOptions(url),
    // INFO is not among our rights, and a Redis without a disk has nothing to load.
    enableReadyCheck: false,
    connectTimeout: 1_000,
    commandTimeout: 500,
    // One that hangs keeps its connections: without this every request would wait for it.
    socketTimeout: 600,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 1_000),
  });
  let reachable = true;
  const gone = (error: unknown) => {
    if (reachable)
      lifecycle.log.warn({ err: error }, 'Redis connection lost, every request asks the services');
    reachable = false;
  };
  const back = () => {
    if (!reachable) lifecycle.log.info('Redis is back');
    reachable = true;
  };
  redis.on('error', gone);
  redis.on('ready', back);
  const check = async () => {
    if (redis.status !== 'ready') return 'no connection';
    // One that hangs keeps its connections, and a replica refuses a write, even one that changes nothing.
    await redis.del(readinessKey).then(back, (error) => {
      gone(error);
      throw error;
    });
    return true as const;
  };
  lifecycle.dependsOn('redis', check, { needed: false });
  lifecycle.onStop('redis', () => redis.disconnect());
  return redis;
}

/** How ioredis connects to a URL of ours. @param url `redis://user:password@host:port`, or `unix://user:password@localhost/path` */
export function redisOptions(url: string) {
  const { protocol, hostname, port, pathname, username, password } = new URL(url);
  const place =
    protocol === 'unix:'
      ? { path: decodeURIComponent(pathname) }
      : { host: hostname, port: Number(port) || 6_379, ...(protocol === 'rediss:' ? { tls: {} } : {}) };
  return {
    ...place,
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
  };
}

/** Stamps on a Redis connection. */
export function createStamps(redis: Redis, lifecycle: Lifecycle): Stamps {
  const make = async (owner: StampOwner): Promise<string> => {
    const fresh = randomBytes(9).toString('base64url');
    const earlier = await redis.set(key(owner), fresh, 'EX', lifetimeSeconds, 'NX', 'GET');
    return earlier ?? fresh;
  };
  let writtenAt = 0;
  /**
   * A Redis that can be read but not written (a replica, a full disk, replicas that lag) keeps stamps that writers could
   * not end: it counts as gone.
   */
  const proveWritable = async (now: number) => {
    await redis.set(probeKey, '', 'EX', lifetimeSeconds);
    writtenAt = now;
  };
  const readAll = async (owners: readonly StampOwner[]): Promise<Map<StampOwner, string>> => {
    const now = performance.now();
    const keys = owners.map(key);
    const [known] =
      now - writtenAt < provenMs
        ? [await redis.mget(keys)]
        : await Promise.all([redis.mget(keys), proveWritable(now)]);
    const stamps = await Promise.all(owners.map((owner, at) => known[at] ?? make(owner)));
    return new Map(owners.map((owner, at) => [owner, stamps[at] as string]));
  };
  /** What is asked for in one turn of the event loop is one command: most of a command's cost is its own. */
  let turn: { readonly owners: Set<StampOwner>; readonly stamps: Promise<Map<StampOwner, string>> } | null =
    null;
  const readWithOthers = (owners: readonly StampOwner[]): Promise<Map<StampOwner, string>> => {
    if (!turn) {
      const { promise, resolve } = Promise.withResolvers<Map<StampOwner, string>>();
      const asked = new Set<StampOwner>();
      turn = { owners: asked, stamps: promise };
      setImmediate(() => {
        turn = null;
        resolve(readAll([...asked]));
      });
    }
    for (const owner of owners) turn.owners.add(owner);
    return turn.stamps;
  };
  return {
    read: async (owners) => {
      try {
        const stamps = await readWithOthers(owners);
        return owners.map((owner) => stamps.get(owner) as string);
      } catch {
        unread.inc();
        return null;
      }
    },
    drop: async (owners) => {
      if (owners.length === 0) return;
      const drop = () => redis.del(...owners.map(key));
      try {
        await drop();
      } catch (error) {
        // The write is committed: try on until the stamps have expired by themselves.
        lifecycle.log.warn({ err: error }, 'stamps could not be deleted yet');
        void retryUntil(Date.now() + lifetimeSeconds * 1_000, drop);
      }
    },
  };
}

async function retryUntil(end: number, action: () => Promise<unknown>): Promise<void> {
  while (Date.now() < end) {
    try {
      await action();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
