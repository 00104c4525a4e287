import { newProcess } from '@talpa/test-kit/lifecycle';
import { type PlainRedis, startPlainRedis } from '@talpa/test-kit/plain-redis';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCacheVersions } from './cache-versions.ts';
import { type Redis as Connection, connectRedis } from './redis/connect.ts';
import { type RedisUser, redisUserNames } from './redis/users.ts';

const stores = useStores();
const { lifecycle, stop } = newProcess();
afterAll(stop);

async function connected(url: string): Promise<Connection> {
  const redis = connectRedis(url, lifecycle);
  await until('Redis is connected', () => redis.status === 'ready');
  return redis;
}

describe('cache versions', () => {
  let server: PlainRedis;
  beforeAll(async () => {
    server = await startPlainRedis();
  });
  afterAll(() => server?.stop());

  it('are not believed in a Redis that takes no writes: nobody could end them', async () => {
    const cacheVersions = createCacheVersions(await connected(server.url), lifecycle);
    const before = await cacheVersions.read([7]);
    expect(before).toHaveLength(1);
    await server.client.persist('cache-version:7');
    await server.client.config('SET', 'min-replicas-to-write', '1');
    await until(
      'the cache versions are not believed any more',
      async () => (await cacheVersions.read([7])) === null,
    );
    await server.client.config('SET', 'min-replicas-to-write', '0');
    await until('they are again', async () => (await cacheVersions.read([7])) !== null);
  });

  it('are believed for a tenth of a second after a write, and no longer without another', async () => {
    const cacheVersions = createCacheVersions(await connected(server.url), lifecycle);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    onTestFinished(() => clock.mockRestore());
    expect(await cacheVersions.read([9])).toHaveLength(1);
    await server.client.persist('cache-version:9');
    await server.client.config('SET', 'min-replicas-to-write', '1');
    clock.mockReturnValue(1_000_099);
    expect(await cacheVersions.read([9])).toHaveLength(1);
    clock.mockReturnValue(1_000_100);
    expect(await cacheVersions.read([9])).toBeNull();
    await server.client.config('SET', 'min-replicas-to-write', '0');
    expect(await cacheVersions.read([9])).toHaveLength(1);
  });

  it('are not believed of a replica, which lags behind what was written elsewhere', async () => {
    const cacheVersions = createCacheVersions(await connected(server.url), lifecycle);
    expect(await cacheVersions.read([8])).toHaveLength(1);
    await server.client.persist('cache-version:8');
    await server.client.replicaof('127.0.0.1', '1');
    await until(
      'the cache versions are not believed any more',
      async () => (await cacheVersions.read([8])) === null,
    );
    await server.client.replicaof('NO', 'ONE');
  });
});

it('a Redis that hangs has lost its connections, so that nobody waits for it, and is back when it goes on', async () => {
  const server = await startPlainRedis();
  onTestFinished(server.stop);
  const redis = await connected(server.url);
  server.pause();
  await expect(redis.get('cache-version:1')).rejects.toThrow(/timed out/);
  await until('the connection is lost', () => redis.status !== 'ready');
  await expect(redis.get('cache-version:1')).rejects.toThrow(/closed|enableOfflineQueue/);
  server.resume();
  await until('Redis is connected again', () => redis.status === 'ready');
  expect(await redis.get('cache-version:1')).toBe(null);
});

describe('a Redis user', () => {
  const everywhere = ['cache-version:7', 'limit:signIn:x', 'known:a:b', 'budget:calls'] as const;
  const mayWrite: Record<RedisUser, readonly string[]> = {
    gateway: ['cache-version:7', 'limit:signIn:x', 'known:a:b'],
    auth: [],
    billing: [],
    proxies: [],
    stats: [],
    notifications: [],
    'tunnel-worker': ['budget:calls'],
  };

  it.each(redisUserNames)('%s reaches the keys its process works with, and no others', async (user) => {
    const redis = await connected(stores.stores.redisUrl(user));
    const isAllowed = (attempt: Promise<unknown>) =>
      attempt.then(
        () => true,
        (error: Error) => (error.message.startsWith('NOPERM') ? false : Promise.reject(error)),
      );
    for (const key of everywhere)
      expect([key, await isAllowed(redis.set(key, 'kept', 'EX', 1))]).toEqual([
        key,
        mayWrite[user].includes(key),
      ]);
    expect(await isAllowed(redis.del('cache-version:7'))).toBe(user !== 'tunnel-worker');
    expect(await isAllowed(redis.mget('cache-version:7'))).toBe(user === 'gateway');
    for (const attempt of [redis.flushall(), redis.keys('*'), redis.config('GET', '*'), redis.acl('LIST')])
      expect(await isAllowed(attempt)).toBe(false);
  });

  it.each(redisUserNames)('%s runs no script of its own, but the gateway', async (user) => {
    const redis = await connected(stores.stores.redisUrl(user));
    for (const [command, ...args] of [
      ['eval', 'return 1', '0'],
      ['eval_ro', 'return 1', '0'],
      ['evalsha', '0'.repeat(40), '0'],
      ['fcall', 'any', '0'],
      ['function', 'load', '#!lua name=any\nredis.register_function("any", function() end)'],
      ['script', 'load', 'return 1'],
      ['script', 'kill'],
    ] as const) {
      if (user === 'gateway' && command.startsWith('eval')) continue;
      await expect(redis.call(command, ...args)).rejects.toThrow(/^NOPERM/);
    }
  });

  it('is needed: without one nobody gets in', async () => {
    const { pathname } = new URL(stores.stores.redisUrl('auth'));
    const nobody = new Redis({ path: decodeURIComponent(pathname), retryStrategy: () => null });
    nobody.on('error', () => {});
    await expect(nobody.get('cache-version:7')).rejects.toThrow(/NOAUTH|closed/);
    nobody.disconnect();
  });
});
