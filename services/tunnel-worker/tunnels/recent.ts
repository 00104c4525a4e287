import type { NatsConnection } from '@nats-io/transport-node';
import { tunnelChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { LRUCache } from 'lru-cache';

/** Caches responses for a moment, so that many callers with the same question make one call. */
export interface Recent<T> {
  get(key: string, ask: () => Promise<T>): Promise<T>;
  /** Invalidates a response. */
  forget(key: string): void;
}

/** Bounds what a caller who asks for ever new keys can fill. */
const maximum = 10_000;

/**
 * @param lifetimeMs from the response on
 * @param now milliseconds of a clock that never goes back
 */
export function createRecent<T extends object>(
  lifetimeMs: number,
  now: () => number = () => performance.now(),
): Recent<T> {
  const responses = new LRUCache<string, T, () => Promise<T>>({
    max: maximum,
    ttl: lifetimeMs,
    perf: { now },
    ttlResolution: 0,
    // Callers that wait get the response to a request that was invalidated meanwhile; it is not cached.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: ask }) => ask(),
  });
  return {
    get: (key, ask) => responses.forceFetch(key, { context: ask }),
    forget: (key) => void responses.delete(key),
  };
}

/** Invalidates a tunnel's responses when its connections change: every worker gets that message. */
export function forgetChanged(nc: NatsConnection, recent: Recent<unknown>, lifecycle: Lifecycle): void {
  const subscription = nc.subscribe(tunnelChangedSubject('*'), {
    callback: (error, { subject }) => {
      if (!error) recent.forget(subject.split('.').at(-1) ?? '');
    },
  });
  lifecycle.onStop('cache of connectors', () => subscription.unsubscribe());
}
