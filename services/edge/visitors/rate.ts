import { boundedCache } from '@talpa/service-kit/bounded-cache';

/**
 * A rate that lets `limit` requests pass at once and then one each `windowMs / limit` (GCRA).
 * The function it gives counts a request of a key, or says how many ms it has to wait.
 */
export function createRate(limit: number, windowMs: number, now: () => number) {
  const interval = windowMs / limit;
  // When everything counted so far would be used up; what is in the past no longer counts.
  const spent = boundedCache<string, number>(100_000);
  return (key: string): number => {
    const time = now();
    const start = Math.max(spent.get(key) ?? 0, time);
    const wait = start + interval - windowMs - time;
    if (wait > 0.001) return wait;
    spent.set(key, start + interval);
    return 0;
  };
}
