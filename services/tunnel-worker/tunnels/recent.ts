import type { NatsConnection } from '@nats-io/transport-node';
import { tunnelChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { LRUCache } from 'lru-cache';

/** Remembers answers for a moment, so that many who look at the same thing ask once. */
export interface Recent<T> {
  get(key: string, ask: () => Promise<T>): Promise<T>;
  /** What was remembered is no longer so. */
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
    // Callers that wait get the response to a question that was forgotten meanwhile; it is not remembered.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: ask }) => ask(),
  });
  return {
    get: (key, ask) => responses.forceFetch(key, { context: ask }),
    forget: (key) => void responses.delete(key),
  };
}

/** Forgets what was remembered of a tunnel when its connections change: every worker hears of it. */
export function forgetChanged(nc: NatsConnection, recent: Recent<unknown>, lifecycle: Lifecycle): void {
  const subscription = nc.subscribe(tunnelChangedSubject('*'), {
    callback: (error, { subject }) => {
      if (!error) recent.forget(subject.split('.').at(-1) ?? '');
    },
  });
  lifecycle.onStop('connectors remembered', () => subscription.unsubscribe());
}
