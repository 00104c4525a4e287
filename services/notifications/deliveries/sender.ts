import { userChangedSubject } from '@talpa/service-kit/bus/subjects';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { outOfScope } from '@talpa/service-kit/telemetry/scope';
import type { Owner } from '../channels/sql.ts';
import { administratorsOf } from '../inbox/administrators.ts';
import { type DeliveryParts, deliver } from './deliver.ts';
import { claimDue } from './sql.ts';

/** How many are sent at the same time, and how many more to receivers that are slow or fail. */
const lanes = [
  { isSlow: false, places: 12 },
  { isSlow: true, places: 4 },
] as const;
const lookEveryMs = 1_000;
/** How long the process waits for its last attempts when it stops: what is cut off is tried again. */
const stopWaitMs = 10_000;

/**
 * Delivers what is due, for as long as the process lives. Several processes never have the same delivery.
 * @returns to be called when something has become due
 */
export function startDeliveries(base: ServiceBase, parts: DeliveryParts, lifecycle: Lifecycle): () => void {
  const { log } = lifecycle;
  const running = lanes.map(() => new Set<Promise<void>>());
  let stopping = false;
  let looking: Promise<void> | null = null;
  let again = false;

  const changed = publishChanges(base, lifecycle);

  const fill = async () => {
    do {
      again = false;
      for (const [at, { isSlow, places }] of lanes.entries()) {
        const tasks = running[at];
        if (!tasks || stopping || tasks.size >= places) continue;
        for (const delivery of await claimDue(base.sql, { count: places - tasks.size, isSlow })) {
          const task = deliver({ ...base, ...parts, log, changed }, delivery)
            .catch((error) =>
              log.warn(
                { err: error, deliveryId: delivery.id },
                'message to a channel could not be handled, retrying after its lease',
              ),
            )
            .then(() => {
              tasks.delete(task);
              kick();
            });
          tasks.add(task);
        }
      }
    } while (again && !stopping);
  };
  const kick = () => {
    again = true;
    if (stopping) return;
    // A delivery does not belong to the request that triggered this look.
    looking ??= outOfScope(fill)
      .catch((error) => log.debug({ err: error }, 'due deliveries cannot be looked for'))
      .finally(() => {
        looking = null;
      });
  };
  lifecycle.onStop(
    'deliveries',
    async () => {
      stopping = true;
      await looking;
      const late = new Promise((resolve) => setTimeout(resolve, stopWaitMs).unref());
      await Promise.race([Promise.all(running.flatMap((tasks) => [...tasks])), late]);
    },
    stopWaitMs,
  );
  lifecycle.every(lookEveryMs, async () => kick(), { failed: 'due deliveries cannot be looked for' });
  return kick;
}

const gatherMs = 2_000;

/**
 * Says on the bus whose channels have news. Channels of the installation may get messages all the time, which all administrators see:
 * that is said now and then.
 */
function publishChanges({ sql, nc }: ServiceBase, lifecycle: Lifecycle): (owner: Owner) => void {
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
