import { type Cache, createCache } from './cache.ts';

/** Where a list goes on, and how long it is, as the service says it. */
export interface Page {
  readonly next: string | undefined;
  readonly total: string | undefined;
}

/** A response, and when it expires by itself (ms since the epoch). */
export interface CachedResponse {
  /** A text: Node sends it in one piece with the headers. */
  readonly text: string;
  readonly expiresAt: number;
  /** Of a list. */
  readonly page?: Page;
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
