import { userChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import type { Owner } from '../channels/sql.ts';
import { administratorsOf } from '../inbox/administrators.ts';

const gatherMs = 2_000;

/**
 * Notifies open pages whose list of deliveries has changed. The installation's channels may get messages all the time,
 * and all administrators see them: their pages are notified at most every `gatherMs`.
 */
export function publishChanges({ sql, nc }: ServiceBase, lifecycle: Lifecycle): (owner: Owner) => void {
  const publish = (userId: number) => nc.publish(userChangedSubject('notifications', userId));
  let isGathered = false;
  lifecycle.every(
    gatherMs,
    async () => {
      if (!isGathered) return;
      isGathered = false;
      for (const userId of await administratorsOf(sql)) publish(userId);
    },
    { failed: 'administrators’ pages could not be refreshed', level: 'debug' },
  );
  return (owner) => {
    if (owner === null) isGathered = true;
    else publish(owner);
  };
}
