import { boundedCache } from '@talpa/service-kit/bounded-cache';

/** A token bucket a key, in this process alone: no round trip on the way of every request. */
export interface Buckets {
  /** Takes a token; 0, or the seconds until there is one. */
  take(key: string): number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const maximumKeys = 50_000;

/**
 * @param perMinute how many a key may take a minute; all of them at once after a rest.
 * @param now a monotonic clock, in ms.
 */
export function createBuckets(perMinute: number, now: () => number = () => performance.now()): Buckets {
  const perMs = perMinute / 60_000;
  const buckets = boundedCache<string, Bucket>(maximumKeys);
  return {
    take: (key) => {
      const time = now();
      const known = buckets.get(key);
      const bucket = known ?? { tokens: perMinute, at: time };
      if (!known) buckets.set(key, bucket);
      bucket.tokens = Math.min(perMinute, bucket.tokens + (time - bucket.at) * perMs);
      bucket.at = time;
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMs / 1_000);
      bucket.tokens -= 1;
      return 0;
    },
  };
}
