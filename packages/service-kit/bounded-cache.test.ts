import { expect, it, vi } from 'vitest';
import { boundedCache } from './bounded-cache.ts';

it('a cache keeps the most recently used entries, for as long as they live', () => {
  vi.useFakeTimers();
  const cache = boundedCache<string, number>(2, { ttl: 1_000, perf: Date });
  cache.set('a', 1).set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  vi.advanceTimersByTime(1_001);
  expect([cache.get('a'), cache.get('c')]).toEqual([undefined, undefined]);
  vi.useRealTimers();
});

it('a cache that is empty takes no memory for what it may hold', () => {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  const caches = Array.from({ length: 10 }, () => boundedCache<string, number>(1_000_000));
  // lru-cache’s `max` takes some 25 MB for each of them.
  expect(used() - before).toBeLessThan(20_000_000);
  expect(caches.every(({ size }) => size === 0)).toBe(true);
});
