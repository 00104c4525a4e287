import { randomUUID } from 'node:crypto';
import { createCacheVersions } from '@talpa/service-kit/cache-versions';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { readVersions } from './authenticate.ts';

it('without Redis no cache version is known, so that nothing is cached', async () => {
  const { lifecycle, stop } = newProcess();
  const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false });
  const claim = { sessionId: randomUUID(), userId: 7, expiresAt: new Date(), jwt: '' };
  expect(await readVersions(createCacheVersions(redis, lifecycle), claim, true)).toEqual({
    ...{ ownVersion: null, globalVersion: null },
  });
  redis.disconnect();
  await stop();
});
