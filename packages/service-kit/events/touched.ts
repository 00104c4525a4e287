import type { NatsConnection } from '@nats-io/transport-node';
import type { ServiceName } from '@talpa/contracts';
import { touchedSubject } from '../bus/subjects.ts';
import type { Stamps } from '../stamps.ts';

/**
 * Stamps that also tell, once they are dropped, whose they were: whoever keeps something open for a user (a
 * live stream) asks again who he is. Lost with the bus; whoever listens looks by itself now and then too.
 */
export function tellingStamps(stamps: Stamps, nc: NatsConnection, service: ServiceName): Stamps {
  return {
    read: stamps.read,
    drop: async (owners) => {
      await stamps.drop(owners);
      if (nc.isClosed()) return;
      for (const owner of owners) if (owner !== 'everybody') nc.publish(touchedSubject(service, owner));
    },
  };
}
