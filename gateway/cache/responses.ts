import { type Cache, createCache } from './cache.ts';

/** A response, and when it expires by itself (ms since the epoch). */
export interface CachedResponse {
  /** A text: Node sends it in one piece with the headers. */
  readonly text: string;
  readonly expiresAt: number;
}

export type ResponseCache = Cache<CachedResponse>;

const maximumBytes = 32 * 1_024 * 1_024;

/** The gateway's cache of responses. */
export const createResponseCache = (): ResponseCache =>
  createCache(
    'responses',
    maximumBytes,
    ({ text }) => text.length + 200,
    ({ expiresAt }) => expiresAt,
  );
