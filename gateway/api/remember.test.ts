import { randomUUID } from 'node:crypto';
import type { Msg } from '@nats-io/transport-node';
import { headers } from '@nats-io/transport-node';
import { busHeaders } from '@talpa/service-kit/bus/message';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createReplies, memoryKey, toRemember } from './remember.ts';
import { type ApiRoute, apiRoutes } from './table.ts';

const routeOf = (name: string) => apiRoutes.find((route) => route.name === name) as ApiRoute;
const own = routeOf('GET /api/user/subscription');
const everybodys = routeOf('GET /api/system/stats');
const actor = { userId: 7, isAdmin: false, sessionId: randomUUID() };
const visitor = { actor, ownVersion: 'o1', sharedVersion: 'c1' };

describe('an answer', () => {
  it('is remembered for its user, its call, its input, its language and the user’s cache version alone', () => {
    const key = memoryKey(own, visitor, { a: 1 }, 'de');
    expect(memoryKey(own, { ...visitor, sharedVersion: null }, { a: 1 }, 'de')).toBe(key);
    const others = [
      memoryKey(own, { ...visitor, actor: { ...actor, userId: 8 } }, { a: 1 }, 'de'),
      memoryKey(routeOf('GET /api/user'), visitor, { a: 1 }, 'de'),
      memoryKey(own, visitor, { a: 2 }, 'de'),
      memoryKey(own, visitor, { a: 1 }, 'en'),
      memoryKey(own, { ...visitor, ownVersion: 'o2' }, { a: 1 }, 'de'),
    ];
    expect(new Set([key, ...others]).size).toBe(6);
  });

  it('for everybody is remembered once, under everybody’s cache version', () => {
    const key = memoryKey(everybodys, visitor, {}, 'de');
    const other = { ...visitor, actor: { ...actor, userId: 8 }, ownVersion: null };
    expect(memoryKey(everybodys, other, {}, 'de')).toBe(key);
    expect(memoryKey(everybodys, { ...visitor, sharedVersion: 'c2' }, {}, 'de')).not.toBe(key);
  });

  it('is not remembered without a cache version, for nobody, of a call that is not to be, or with a secret', () => {
    const secret = { ...own, entry: { ...own.entry, secret: true } } as ApiRoute;
    for (const key of [
      memoryKey(own, { ...visitor, ownVersion: null }, {}, 'de'),
      memoryKey(own, { ...visitor, actor: null }, {}, 'de'),
      memoryKey(everybodys, { ...visitor, sharedVersion: null }, {}, 'de'),
      memoryKey(routeOf('GET /api/tunnel-configs'), visitor, {}, 'de'),
      memoryKey(secret, visitor, {}, 'de'),
    ])
      expect(key).toBeNull();
  });
});

describe('what is remembered', () => {
  afterEach(() => void vi.useRealTimers());
  const answer = (until?: Date) => {
    const hdrs = headers();
    if (until) hdrs.set(busHeaders.freshUntil, until.toISOString());
    return { string: () => '{}', headers: hdrs } as unknown as Msg;
  };

  it('is true until its service says, and half a minute at most', () => {
    const now = Date.parse('2026-11-22T12:00:00Z');
    vi.useFakeTimers({ now });
    expect(toRemember(answer())).toEqual({ text: '{}', until: now + 30_000 });
    expect(toRemember(answer(new Date(now + 5_000)))).toEqual({ text: '{}', until: now + 5_000 });
    expect(toRemember(answer(new Date(now + 60_000)))).toEqual({ text: '{}', until: now + 30_000 });
  });

  it('takes 32 MB at most, what is around it counted too', async () => {
    const replies = createReplies();
    const until = Number.POSITIVE_INFINITY;
    const half = 'x'.repeat(16 * 1_024 * 1_024 - 200);
    for (const key of ['a', 'b']) await replies.recall(key, async () => ({ text: half, until }));
    expect([replies.known('a'), replies.known('b')].every(Boolean)).toBe(true);
    await replies.recall('c', async () => ({ text: '', until }));
    expect(replies.known('a')).toBeUndefined();
    expect(replies.known('c')).toBeDefined();
  });

  it('ends when it stops being true by itself', async () => {
    const replies = createReplies();
    await replies.recall('a', async () => ({ text: '1', until: Date.now() - 1 }));
    expect(replies.known('a')).toBeUndefined();
  });
});
