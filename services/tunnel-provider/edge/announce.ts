import type { NatsConnection } from '@nats-io/transport-node';
import { tunnelChangedSubject } from '@talpa/service-kit/bus/subjects';

/** A connector opens its four connections one after another: one word for all of them. */
const gatherMs = 100;

/** Tells the bus whose tunnels' connections have changed; to be called after COMMIT. */
export interface Announcer {
  /** Begins to publish: subscribers then call the API, which has to answer by then. */
  begin(): void;
  changed(tunnelId: string): void;
  /** Says at once what is still to be said. */
  flush(): void;
}

/** Words get lost while the bus is away: subscribers also look at all tunnels now and then. */
export function createAnnouncer(nc: NatsConnection): Announcer {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let hasBegun = false;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!nc.isClosed()) for (const tunnelId of waiting) nc.publish(tunnelChangedSubject(tunnelId));
    waiting.clear();
  };
  return {
    begin: () => {
      hasBegun = true;
      flush();
    },
    changed: (tunnelId) => {
      waiting.add(tunnelId);
      if (hasBegun) timer ??= setTimeout(flush, gatherMs);
    },
    flush,
  };
}
