import { type Measured, measured } from '@talpa/contracts';
import { healthSubject, measuredConsumer, streams } from '@talpa/service-kit/bus/subjects';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { startConsumer } from '@talpa/service-kit/events/consume';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { type Concerned, keepOrigins } from './origin.ts';
import { keepState } from './states.ts';
import { keepTraffic } from './traffic.ts';

/** Keeps what is measured, and says whose origin or connector has turned. */
export function receiveMeasurements(base: ServiceBase, lifecycle: Lifecycle): void {
  startConsumer(
    base.nc,
    {
      stream: streams.measurements,
      durable: measuredConsumer,
      concurrency: 8,
      handle: async (message) => {
        const read = measured.safeParse(message.json());
        if (!read.success) {
          // One sum less; the next one contains it.
          lifecycle.log.error({ err: read.error, subject: message.subject }, 'a measurement cannot be read');
          return;
        }
        const concerned = await base.transaction((tx) => takeIn(tx, read.data));
        for (const { id, userId } of concerned) base.nc.publish(healthSubject('stats', userId, id));
      },
    },
    lifecycle,
  );
}

/** @returns whom it is worth another look */
export async function takeIn(tx: Tx, message: Measured): Promise<Concerned[]> {
  if (message.kind === 'origins') return keepOrigins(tx, message.rows);
  if (message.kind === 'state') return keepState(tx, message.state);
  await keepTraffic(tx, message.rows);
  return [];
}
