import { LRUCache } from 'lru-cache';

const one = () => 1;

/**
 * A cache of the most recently used entries. It takes memory as it fills: `max` of lru-cache takes at once what all entries will need.
 * @param most entries it keeps
 */
export const boundedCache = <K extends {}, V extends {}>(
  most: number,
  options: { readonly ttl?: number; readonly perf?: { now(): number } } = {},
): LRUCache<K, V> => new LRUCache<K, V>({ ...options, maxSize: most, sizeCalculation: one });
