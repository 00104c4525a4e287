import { randomUUID } from 'node:crypto';
import type { Msg } from '@nats-io/transport-node';
import { headers } from '@nats-io/transport-node';
import { busHeaders } from '@talpa/service-kit/bus/message';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createResponseCache } from '../cache/responses.ts';
import { cacheKey, toCachedResponse } from './cache-key.ts';
import { type ApiRoute, apiRoutes } from './table.ts';

const routeOf = (name: string) => apiRoutes.find((route) => route.name === name) as ApiRoute;
const own = routeOf('GET /api/user/subscription');
const globalRoute = routeOf('GET /api/system/stats');
const actor = { userId: 7, isAdmin: false, sessionId: randomUUID() };
const requester = { actor, ownVersion: 'o1', globalVersion: 'c1' };

describe('a response', () => {
  it('is cached for its user, its call, its input, its language and the user’s cache version alone', () => {
    const key = cacheKey(own, requester, { a: 1 }, 'de');
    expect(cacheKey(own, { ...requester, globalVersion: null }, { a: 1 }, 'de')).toBe(key);
    const others = [
      cacheKey(own, { ...requester, actor: { ...actor, userId: 8 } }, { a: 1 }, 'de'),
      cacheKey(routeOf('GET /api/user'), requester, { a: 1 }, 'de'),
      cacheKey(own, requester, { a: 2 }, 'de'),
      cacheKey(own, requester, { a: 1 }, 'en'),
      cacheKey(own, { ...requester, ownVersion: 'o2' }, { a: 1 }, 'de'),
    ];
    expect(new Set([key, ...others]).size).toBe(6);
  });

  it('that depends on the session is cached for each of them', () => {
    const sessions = routeOf('GET /api/user/sessions');
    const other = { ...requester, actor: { ...actor, sessionId: randomUUID() } };
    expect(cacheKey(sessions, other, {}, 'de')).not.toBe(cacheKey(sessions, requester, {}, 'de'));
    expect(cacheKey(own, other, {}, 'de')).toBe(cacheKey(own, requester, {}, 'de'));
  });

  it('that is global is cached once, under the global cache version', () => {
    const key = cacheKey(globalRoute, requester, {}, 'de');
    const other = { ...requester, actor: { ...actor, userId: 8 }, ownVersion: null };
    expect(cacheKey(globalRoute, other, {}, 'de')).toBe(key);
    expect(cacheKey(globalRoute, { ...requester, globalVersion: 'c2' }, {}, 'de')).not.toBe(key);
  });

  it('is not cached without a cache version, without a user, of a call that is not to be cached, or with a secret', () => {
    const secret = { ...own, entry: { ...own.entry, secret: true } } as ApiRoute;
    for (const key of [
      cacheKey(own, { ...requester, ownVersion: null }, {}, 'de'),
      cacheKey(own, { ...requester, actor: null }, {}, 'de'),
      cacheKey(globalRoute, { ...requester, globalVersion: null }, {}, 'de'),
      cacheKey(routeOf('GET /api/user/passkeys'), requester, {}, 'de'),
      cacheKey(secret, requester, {}, 'de'),
    ])
      expect(key).toBeNull();
  });
});

describe('a cached response', () => {
  afterEach(() => void vi.useRealTimers());
  const response = (until?: Date) => {
    const hdrs = headers();
    if (until) hdrs.set(busHeaders.freshUntil, until.toISOString());
    return { string: () => '{}', headers: hdrs } as unknown as Msg;
  };

  it('expires when its service says, and after half a minute at most', () => {
    const now = Date.parse('2026-11-22T12:00:00Z');
    vi.useFakeTimers({ now });
    const cached = (until?: Date) => toCachedResponse(own, response(until));
    expect(cached()).toEqual({ text: '{}', expiresAt: now + 30_000 });
    expect(cached(new Date(now + 5_000))).toEqual({ text: '{}', expiresAt: now + 5_000 });
    expect(cached(new Date(now + 60_000))).toEqual({ text: '{}', expiresAt: now + 30_000 });
  });

  it('takes 32 MB at most with its overhead', async () => {
    const responses = createResponseCache();
    const expiresAt = Number.POSITIVE_INFINITY;
    const half = 'x'.repeat(16 * 1_024 * 1_024 - 200);
    for (const key of ['a', 'b']) await responses.getOrFetch(key, async () => ({ text: half, expiresAt }));
    expect([responses.get('a'), responses.get('b')].every(Boolean)).toBe(true);
    await responses.getOrFetch('c', async () => ({ text: '', expiresAt }));
    expect(responses.get('a')).toBeUndefined();
    expect(responses.get('c')).toBeDefined();
  });

  it('is not given once it has expired', async () => {
    const responses = createResponseCache();
    await responses.getOrFetch('a', async () => ({ text: '1', expiresAt: Date.now() - 1 }));
    expect(responses.get('a')).toBeUndefined();
  });
});
