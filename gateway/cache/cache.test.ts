import { scrape } from '@talpa/service-kit/telemetry/metrics';
import { describe, expect, it } from 'vitest';
import { createCache } from './cache.ts';

describe('the cache', () => {
  it('counts hits, joined fetches, misses, entries and their size', async () => {
    const cache = createCache<{ size: number }>('measured', 100, ({ size }) => size);
    const fetch = async () => ({ size: 40 });
    await Promise.all([
      cache.getOrFetch('a', fetch),
      cache.getOrFetch('a', fetch),
      cache.getOrFetch('a', fetch),
    ]);
    await cache.getOrFetch('a', fetch);
    await cache.getOrFetch('b', fetch);
    const metrics = await scrape();
    for (const metric of [
      'requests_total{cache="measured",result="hit"} 1',
      'requests_total{cache="measured",result="joined"} 2',
      'requests_total{cache="measured",result="miss"} 2',
      'entries{cache="measured"} 2',
      'size{cache="measured"} 80',
    ])
      expect(metrics).toMatch(new RegExp(`^talpa_cache_${metric.replace(/[{}]/g, '\\$&')}$`, 'm'));
  });

  it('fetches once for callers that want the same value at the same time', async () => {
    const cache = createCache<{ n: number }>('test', 10, () => 1);
    let fetched = 0;
    const fetch = async () => ({ n: ++fetched });
    expect(await Promise.all([cache.getOrFetch('a', fetch), cache.getOrFetch('a', fetch)])).toEqual([
      { n: 1 },
      { n: 1 },
    ]);
    expect(await cache.getOrFetch('b', fetch)).toEqual({ n: 2 });
  });

  it('stays within its size and evicts the least recently used value first', async () => {
    const cache = createCache<{ size: number }>('test', 100, ({ size }) => size);
    for (const key of ['a', 'b', 'c']) await cache.getOrFetch(key, async () => ({ size: 40 }));
    expect(cache.get('a')).toBeUndefined();
    expect(cache.get('c')).toEqual({ size: 40 });
    expect(await cache.getOrFetch('huge', async () => ({ size: 101 }))).toEqual({ size: 101 });
    expect(cache.get('huge')).toBeUndefined();
  });

  it('gives no caller a value that has expired, not even one that joined the fetch', async () => {
    const cache = createCache<{ n: number; until: number }>(
      'test',
      10,
      () => 1,
      ({ until }) => until,
    );
    const held = Promise.withResolvers<void>();
    const over = { n: 1, until: Date.now() };
    const first = cache.getOrFetch('a', () => held.promise.then(() => over));
    const joined = cache.getOrFetch('a', async () => ({ n: 2, until: Number.POSITIVE_INFINITY }));
    held.resolve();
    expect([await first, (await joined).n]).toEqual([over, 2]);
    expect(cache.get('a')?.n).toBe(2);
    await cache.getOrFetch('b', async () => over);
    expect(cache.get('b')).toBeUndefined();
  });
});
