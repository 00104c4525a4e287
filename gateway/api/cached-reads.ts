import { LRUCache } from 'lru-cache';
import { meterOf } from '../telemetry/http.ts';
import type { Input } from './input.ts';
import { type ApiRoute, apiRoutes } from './table.ts';

/** A read whose response may be cached, with its checked input. */
export interface CachedRead {
  readonly route: ApiRoute;
  readonly input: Input;
  readonly measure: ReturnType<typeof meterOf>;
}

/** The reads that the fast path may answer, by the URL of their request. */
export interface CachedReads {
  get(url: string): CachedRead | undefined;
  /** A request with this URL had this valid input. */
  remember(url: string, route: ApiRoute, input: Input): void;
}

/** Of the URLs that are kept, in characters. The least recently used go first. */
const maximumSize = 1_000_000;

/** Knows the reads without input from the start, and the others once Fastify has parsed their URL. */
export function createCachedReads(): CachedReads {
  const meters = new Map<ApiRoute, CachedRead['measure']>();
  const withoutInput = new Map<string, CachedRead>();
  for (const route of apiRoutes) {
    if (!route.entry.cached) continue;
    const measure = meterOf(route.method, route.path);
    meters.set(route, measure);
    const { success, data } = route.entry.input.safeParse({});
    if (success) withoutInput.set(route.path, { route, input: data, measure });
  }
  const parsed = new LRUCache<string, CachedRead>({
    maxSize: maximumSize,
    sizeCalculation: (_read, url) => url.length + 200,
  });
  return {
    get: (url) => withoutInput.get(url) ?? parsed.get(url),
    remember: (url, route, input) => {
      const measure = meters.get(route);
      if (measure && !withoutInput.has(url) && !parsed.has(url)) parsed.set(url, { route, input, measure });
    },
  };
}
