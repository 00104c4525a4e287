import type { LogLine } from '@talpa/instance/cli';
import type { Running } from '@talpa/instance/part';
import type { HomeFolders } from '@talpa/instance/paths';
import type { Secrets } from '@talpa/instance/secrets';
import { ensurePrograms, type Program } from '@talpa/instance/system-packages';
import type { BusUser } from '@talpa/service-kit/bus/permissions';
import type { RedisUser } from '@talpa/service-kit/redis/users';
import { startNats } from './nats.ts';
import type { StoreOptions } from './options.ts';
import { checkOutsideStores } from './outside.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

/** Where the stores are reached. */
export interface Stores {
  /** A role that may make roles and schemas. */
  readonly adminUrl: string;
  redisUrl(user: RedisUser): string;
  natsUrl(user: BusUser): string;
}

/**
 * Starts our own stores, or takes those that DATABASE_URL, NATS_URL and REDIS_URL name.
 * @param running gets every started store, in order, even when a later one fails.
 */
export async function startStores(
  folders: HomeFolders,
  secrets: Secrets,
  options: StoreOptions,
  log: LogLine,
  running: Running<unknown>[],
): Promise<Stores> {
  const { DATABASE_URL, NATS_URL, REDIS_URL } = process.env;
  const needed: Program[] = [];
  if (!DATABASE_URL) needed.push('postgres');
  if (!NATS_URL) needed.push('nats-server');
  if (!REDIS_URL) needed.push('redis-server');
  await ensurePrograms(needed, log);
  await checkOutsideStores({
    ...(DATABASE_URL ? { database: DATABASE_URL } : {}),
    ...(NATS_URL ? { nats: NATS_URL } : {}),
  });
  if (needed.length > 0) log(`starting ${needed.join(', ')}`);
  const postgres = DATABASE_URL
    ? { url: DATABASE_URL, running: null }
    : startPostgres(folders, secrets, options, log);
  const redis = REDIS_URL
    ? { url: () => REDIS_URL, running: null }
    : startRedis(folders, secrets, log, options);
  const nats = NATS_URL ? { url: () => NATS_URL, running: null } : startNats(folders, secrets, log, options);
  for (const result of await Promise.allSettled([postgres, redis, nats]))
    if (result.status === 'fulfilled' && result.value.running) running.push(result.value.running);
  const { url } = await nats;
  return { adminUrl: (await postgres).url, redisUrl: (await redis).url, natsUrl: url };
}
