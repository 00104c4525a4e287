import { once } from 'node:events';
import { createCacheVersions } from '@talpa/service-kit/cache-versions';
import { connectRedis } from '@talpa/service-kit/redis/connect';
import { newProcess } from '@talpa/test-kit/lifecycle';
import type { Stores } from '../../launcher/stores/stores.ts';

/** Invalidates users' caches, as a service does that has changed their rows: for tests that change rows by themselves. */
export async function invalidateCache({ redisUrl }: Stores, ...userIds: readonly number[]): Promise<void> {
  const { lifecycle, stop } = newProcess();
  const redis = connectRedis(redisUrl('proxies'), lifecycle);
  await once(redis, 'ready');
  await createCacheVersions(redis, lifecycle).invalidate(userIds);
  await stop();
}
