import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Lifecycle } from './process/lifecycle.ts';
import { counter } from './telemetry/metrics.ts';

/** What a version guards: a user's cached responses, what auth said about their sessions, or responses that all users share. */
export type CacheOwner = number | SessionsOwner | 'global';
type SessionsOwner = `sessions ${number}`;

export const sessionsOf = (userId: number): SessionsOwner => `sessions ${userId}`;

const lifetimeSeconds = 10;
/** For so long a successful write proves that Redis takes writes, in ms. */
const provenMs = 100;
const probeKey = 'cache-version:probe';
const unread = counter(
  'talpa_cache_versions_unread_total',
  'Requests for which Redis could not be asked: nothing was cached',
);

/**
 * Random cache versions in Redis, under which gateways cache responses. A reader makes one where there is none. A
 * writer deletes it, and every replica stops using what it cached under it at once.
 */
export interface CacheVersions {
  /** The versions of these owners, made where missing; null when Redis cannot be asked: cache nothing. */
  read(owners: readonly CacheOwner[]): Promise<string[] | null>;
  /** Deletes these owners' versions. Never fails: without Redis nothing is cached, or only until the versions expire. */
  invalidate(owners: readonly CacheOwner[]): Promise<void>;
}

const key = (owner: CacheOwner) => `cache-version:${owner}`;

/** Cache versions on a Redis connection. */
export function createCacheVersions(redis: Redis, lifecycle: Lifecycle): CacheVersions {
  unread.inc(0);
  const make = async (owner: CacheOwner): Promise<string> => {
    const fresh = randomBytes(9).toString('base64url');
    const earlier = await redis.set(key(owner), fresh, 'EX', lifetimeSeconds, 'NX', 'GET');
    return earlier ?? fresh;
  };
  let writtenAt = 0;
  /**
   * A Redis that can be read but not written (a replica, a full disk, replicas that lag) keeps versions that writers could
   * not end: it counts as gone.
   */
  const proveWritable = async (now: number) => {
    await redis.set(probeKey, '', 'EX', lifetimeSeconds);
    writtenAt = now;
  };
  const readAll = async (owners: readonly CacheOwner[]): Promise<Map<CacheOwner, string>> => {
    const now = performance.now();
    const keys = owners.map(key);
    const [known] =
      now - writtenAt < provenMs
        ? [await redis.mget(keys)]
        : await Promise.all([redis.mget(keys), proveWritable(now)]);
    const versions = await Promise.all(owners.map((owner, at) => known[at] ?? make(owner)));
    return new Map(owners.map((owner, at) => [owner, versions[at] as string]));
  };
  /** What is asked for in one turn of the event loop is one command: most of a command's cost is its own. */
  let turn: {
    readonly owners: Set<CacheOwner>;
    readonly versions: Promise<Map<CacheOwner, string>>;
  } | null = null;
  const readWithOthers = (owners: readonly CacheOwner[]): Promise<Map<CacheOwner, string>> => {
    if (!turn) {
      const { promise, resolve } = Promise.withResolvers<Map<CacheOwner, string>>();
      const asked = new Set<CacheOwner>();
      turn = { owners: asked, versions: promise };
      setImmediate(() => {
        turn = null;
        resolve(readAll([...asked]));
      });
    }
    for (const owner of owners) turn.owners.add(owner);
    return turn.versions;
  };
  return {
    read: async (owners) => {
      try {
        const versions = await readWithOthers(owners);
        return owners.map((owner) => versions.get(owner) as string);
      } catch {
        unread.inc();
        return null;
      }
    },
    invalidate: async (owners) => {
      if (owners.length === 0) return;
      const remove = () => redis.del(...owners.map(key));
      try {
        await remove();
      } catch (error) {
        // The write is committed: retry until the versions have expired.
        lifecycle.log.warn(
          { err: error },
          'cache versions could not be deleted in Redis, retrying until they expire',
        );
        void retryUntil(Date.now() + lifetimeSeconds * 1_000, remove);
      }
    },
  };
}

/** For auth, which alone decides what a user's sessions and API keys may do: what it changes ends what is cached of them, too. */
export function endingSessions(cacheVersions: CacheVersions): CacheVersions {
  return {
    read: cacheVersions.read,
    invalidate: (owners) =>
      cacheVersions.invalidate(
        owners.flatMap<CacheOwner>((owner) =>
          typeof owner === 'number' ? [owner, sessionsOf(owner)] : [owner],
        ),
      ),
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
