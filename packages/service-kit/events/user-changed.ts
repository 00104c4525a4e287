import type { NatsConnection } from '@nats-io/transport-node';
import type { ServiceName } from '@talpa/contracts';
import { userChangedSubject } from '../bus/subjects.ts';
import type { CacheVersions } from '../cache-versions.ts';

/**
 * Adds to `invalidate` an event `user.changed` for each user. A gateway that holds a live stream of the user then checks
 * the session again. The event may be lost with the connection: the gateway also checks at intervals.
 */
export function announcingVersions(
  cacheVersions: CacheVersions,
  nc: NatsConnection,
  service: ServiceName,
): CacheVersions {
  return {
    read: cacheVersions.read,
    invalidate: async (owners) => {
      await cacheVersions.invalidate(owners);
      if (nc.isClosed()) return;
      for (const owner of owners)
        if (typeof owner === 'number') nc.publish(userChangedSubject(service, owner));
    },
  };
}
