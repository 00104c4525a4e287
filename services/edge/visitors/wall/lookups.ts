import { boundedCache } from '@talpa/service-kit/bounded-cache';
import { RouteUnavailable } from '../route-unavailable.ts';

/** How long what was found, or that there is nothing, is cached: an end shows after a second. */
const cachedMs = 1_000;
const maximumCached = 20_000;

/**
 * Keeps what was found in the database about visitors for a second, so that a page with many parts asks once. While the database is
 * away nothing is found: it could have ended.
 */
export function createLookups<T extends object>() {
  const cache = boundedCache<string, Promise<T | null>>(maximumCached, { ttl: cachedMs });
  /** What was found when it was last looked for. */
  const found = boundedCache<string, true>(maximumCached);
  let generation = 0;
  return {
    /**
     * @param key names the proxy and all else that the answer depends on
     * @param mayLook is asked before something is looked for that was not there the last time: strangers can make up as many secrets as they like
     */
    find(key: string, look: () => Promise<T | null>, mayLook: () => boolean): Promise<T | null> {
      const cacheKey = `${generation} ${key}`;
      const known = cache.get(cacheKey);
      if (known) return known;
      if (!found.has(key) && !mayLook()) return Promise.resolve(null);
      const looked = look().catch((error: unknown) => {
        cache.delete(cacheKey);
        throw new RouteUnavailable(error);
      });
      looked.then(
        (seen) => void (seen ? found.set(key, true) : found.delete(key)),
        () => {},
      );
      cache.set(cacheKey, looked);
      return looked;
    },
    /** Looks at all anew. */
    forget(): void {
      generation += 1;
    },
  };
}
