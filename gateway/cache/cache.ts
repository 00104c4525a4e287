import { counter, gauge, readOnScrape } from '@talpa/service-kit/telemetry/metrics';
import { LRUCache } from 'lru-cache';

/** The maximum age of a cached value, in ms. It holds even if an attacker keeps the cache versions in Redis alive. */
export const maximumAgeMs = 30_000;

/** A bounded cache. A value is valid as long as its key: a write changes the cache version, which is part of the key. */
export interface Cache<V> {
  /** The cached value, if there is one. */
  get(key: string): V | undefined;
  /** The cached value, or the one that is being fetched already, or else a new one. Failures are not cached. */
  getOrFetch(key: string, fetch: () => Promise<V>): V | Promise<V>;
}

const requests = counter(
  'talpa_cache_requests_total',
  'Lookups in a cache of the gateway: hit, joined a fetch that was running already, or miss',
  ['cache', 'result'],
);
const entries = gauge('talpa_cache_entries', 'Cached values', ['cache']);
const size = gauge(
  'talpa_cache_size',
  'What the cached values count of the maximum size: bytes, or entries',
  ['cache'],
);
const caches = new Map<string, { readonly size: number; readonly calculatedSize: number }>();
readOnScrape('cache', [entries, size], () => {
  for (const [cache, values] of caches) {
    entries.set({ cache }, values.size);
    size.set({ cache }, values.calculatedSize);
  }
});

/**
 * @param name of the cache in its metrics
 * @param maximumSize sum of all sizes it may hold; the least recently used values go first
 * @param sizeOf what one value counts
 * @param expiresAt when a value expires by itself, in ms since the epoch
 */
export function createCache<V extends object>(
  name: string,
  maximumSize: number,
  sizeOf: (value: V) => number,
  expiresAt: (value: V) => number = () => Number.POSITIVE_INFINITY,
): Cache<V> {
  const values = new LRUCache<string, V>({
    maxSize: maximumSize,
    sizeCalculation: (value) => sizeOf(value),
  });
  caches.set(name, values);
  const hit = requests.labels(name, 'hit');
  const joined = requests.labels(name, 'joined');
  const miss = requests.labels(name, 'miss');
  // Not lru-cache's `fetchMethod` and `ttl`: other entries could evict a running fetch. If a value has expired before it arrives,
  // lru-cache would keep it without a limit (`ttl: 0`) or return it to the next caller.
  const fetches = new Map<string, Promise<V>>();
  const isValid = (value: V) => expiresAt(value) > Date.now();
  const get = (key: string) => {
    const value = values.get(key);
    if (!value || !isValid(value)) return undefined;
    hit.inc();
    return value;
  };
  const fetchOnce = async (key: string, fetch: () => Promise<V>) => {
    try {
      const value = await fetch();
      if (isValid(value)) values.set(key, value);
      return value;
    } finally {
      fetches.delete(key);
    }
  };
  const getOrFetch = (key: string, fetch: () => Promise<V>): V | Promise<V> => {
    const value = get(key);
    if (value) return value;
    const running = fetches.get(key);
    if (running) {
      joined.inc();
      // A caller that joined may get a value that has expired meanwhile: it fetches again.
      return running.then((fetched) => (isValid(fetched) ? fetched : getOrFetch(key, fetch)));
    }
    miss.inc();
    const fetched = fetchOnce(key, fetch);
    fetches.set(key, fetched);
    return fetched;
  };
  return { get, getOrFetch };
}
