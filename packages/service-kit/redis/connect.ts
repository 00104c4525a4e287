import { Redis } from 'ioredis';
import type { Lifecycle } from '../process/lifecycle.ts';
import { readinessKey } from './users.ts';

export type { Redis };

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
      lifecycle.log.warn({ err: error }, 'Redis connection lost, continuing without cache and shared limits');
    reachable = false;
  };
  const back = () => {
    if (!reachable) lifecycle.log.info('Redis connection restored');
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
