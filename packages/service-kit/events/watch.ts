import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { type EventName, type EventOf, events, type ServiceName } from '@talpa/contracts';
import { untilSubscribed } from '../bus/flush.ts';
import { readMessage } from '../bus/read-message.ts';
import { appliedSubject } from '../bus/subjects.ts';
import type { Log } from '../log.ts';

/** Waits for other services to have taken over what a transaction is about to change. */
export interface Watch<N extends EventName> {
  /**
   * Resolves with true once each watched projection has applied a snapshot that satisfies `enough`, with false
   * after `timeoutMs`. Ends the watch either way.
   */
  reached(enough: (snapshot: EventOf<N>) => boolean, timeoutMs?: number): Promise<boolean>;
  close(): void;
}

/**
 * Subscribes; call it before the transaction commits, so that nothing is missed. Without a bus it
 * still returns, and `reached` ends with its timeout.
 */
export async function watchProjections<N extends EventName>(
  { nc, log }: { readonly nc: NatsConnection; readonly log: Log },
  name: N,
  id: number | string,
  services: readonly ServiceName[],
): Promise<Watch<N>> {
  const seen: { service: ServiceName; snapshot: EventOf<N> }[] = [];
  let notify = () => {};
  const subscriptions: Subscription[] = services.map((service) =>
    nc.subscribe(appliedSubject(service, name, String(id)), {
      callback: (error, message) => {
        if (error) return;
        const snapshot = readMessage<unknown>(message, events[name].schema, log) as EventOf<N> | null;
        if (!snapshot) return;
        seen.push({ service, snapshot });
        notify();
      },
    }),
  );
  const close = () => {
    for (const subscription of subscriptions) subscription.unsubscribe();
  };
  await untilSubscribed(nc);
  return {
    close,
    reached: async (enough, timeoutMs = 1_000) => {
      const complete = () =>
        services.every((service) => seen.some((one) => one.service === service && enough(one.snapshot)));
      try {
        return await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(false), timeoutMs);
          notify = () => {
            if (!complete()) return;
            clearTimeout(timer);
            resolve(true);
          };
          notify();
        });
      } finally {
        close();
      }
    },
  };
}
