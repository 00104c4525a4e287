import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { startDispatcher } from '../dispatcher.ts';
import { type DeliveryParts, deliver } from './deliver.ts';
import { publishChanges } from './publish-changes.ts';
import { claimDue } from './sql.ts';

/** How many are sent at the same time, and how many more to receivers that are slow or fail. */
const lanes = [
  { isSlow: false, places: 12 },
  { isSlow: true, places: 4 },
] as const;

/** Sends deliveries that are due. @returns to be called when one has become due */
export function startDeliveries(base: ServiceBase, parts: DeliveryParts, lifecycle: Lifecycle): () => void {
  const { log } = lifecycle;
  const changed = publishChanges(base, lifecycle);
  return startDispatcher(
    {
      name: 'deliveries',
      lanes: lanes.map(({ isSlow, places }) => ({
        places,
        claim: (count: number) => claimDue(base.sql, { count, isSlow }),
      })),
      handle: (delivery) =>
        deliver({ ...base, ...parts, log, changed }, delivery).catch((error) =>
          log.warn(
            { err: error, deliveryId: delivery.id },
            'message to a channel could not be handled, retrying after its lease',
          ),
        ),
      lookFailed: 'due deliveries cannot be looked for',
    },
    lifecycle,
  );
}
