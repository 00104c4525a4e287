import type { NatsConnection } from '@nats-io/transport-node';
import { tunnelChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';

/** Remembers answers for a moment, so that many who look at the same thing ask once. */
export interface Recent<T> {
  get(key: string, ask: () => Promise<T>): Promise<T>;
  /** What was remembered is no longer so. */
  forget(key: string): void;
}

/** @param lifetimeMs from the question on */
export function createRecent<T>(lifetimeMs: number): Recent<T> {
  const asked = new Map<string, { readonly response: Promise<T>; readonly timer: NodeJS.Timeout }>();
  const forget = (key: string) => {
    clearTimeout(asked.get(key)?.timer);
    asked.delete(key);
  };
  return {
    get: (key, ask) => {
      const known = asked.get(key);
      if (known) return known.response;
      const response = ask();
      const timer = setTimeout(() => forget(key), lifetimeMs).unref();
      asked.set(key, { response, timer });
      // A failure is nobody's answer but the one’s who asked.
      response.catch(() => asked.get(key)?.response === response && forget(key));
      return response;
    },
    forget,
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
