import type { NatsConnection } from '@nats-io/transport-node';
import { tunnelChangedSubject } from '@talpa/service-kit/bus/subjects';

/** A connector opens its four connections one after another: one word for all of them. */
const gatherMs = 100;

/** Publishes whose tunnels' connections have changed; to be called after COMMIT. */
export interface Announcer {
  changed(tunnelId: string): void;
  /** Says at once what is still to be said. */
  flush(): void;
}

/** Words get lost while the bus is away: subscribers also look at all tunnels now and then. */
export function createAnnouncer(nc: NatsConnection): Announcer {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!nc.isClosed()) for (const tunnelId of waiting) nc.publish(tunnelChangedSubject(tunnelId));
    waiting.clear();
  };
  return {
    changed: (tunnelId) => {
      waiting.add(tunnelId);
      timer ??= setTimeout(flush, gatherMs);
    },
    flush,
  };
}
