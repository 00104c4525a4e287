import { randomBytes } from 'node:crypto';
import { createCacheVersions } from '@talpa/service-kit/cache-versions';
import { openVerifyingKeys, publicHalf } from '@talpa/service-kit/session/keys';
import { useTracer } from '@talpa/service-kit/telemetry/tracing';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { createResponseCache } from '../cache/responses.ts';
import { createSessionCookie } from '../session/cookie.ts';
import { createSessions } from '../session/sessions.ts';
import { createCachedReads } from './cached-reads.ts';
import { createFastPath } from './fast-path.ts';

it('with traces every request goes through Fastify, where its trace begins', async () => {
  const { lifecycle, stop } = newProcess();
  const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false });
  const keys = openVerifyingKeys(`test:${publicHalf(randomBytes(32).toString('base64url'))}`);
  const parts = {
    sessions: createSessions(keys, createSessionCookie(false)),
    cacheVersions: createCacheVersions(redis, lifecycle),
    limits: { request: () => {}, allows: () => true, guardOf: () => null },
    responses: createResponseCache(),
    cachedReads: createCachedReads(),
    headers: {},
    logResponse: () => {},
  };
  const serve = () => {};
  expect(createFastPath(parts)(serve)).not.toBe(serve);
  onTestFinished(() => useTracer(null));
  useTracer({
    start: () => {
      throw new Error('nothing is traced here');
    },
  });
  expect(createFastPath(parts)(serve)).toBe(serve);
  redis.disconnect();
  await stop();
});
