import { type Measured, measured, measuredBy, type ProxyState } from '@talpa/contracts';
import { readMessage } from '@talpa/service-kit/bus/read-message';
import { healthSubject, measuredConsumer, senderOf, streams } from '@talpa/service-kit/bus/subjects';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { startBatchConsumer } from '@talpa/service-kit/events/consume';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { storingHandled } from '../losses/store-handled.ts';
import type { Reader } from '../proxies/readers.ts';
import { keepModes } from '../requests/modes.ts';
import { forgetFailures, keepOrigins } from './origin.ts';
import { keepStates } from './states.ts';
import { keepTraffic } from './traffic.ts';

/** Keeps what is measured, and says whose origin or connector has turned. */
export function receiveMeasurements(
  { nc, sql, transaction }: ServiceBase,
  alertAfterSeconds: number,
  lifecycle: Lifecycle,
): void {
  startBatchConsumer(
    nc,
    storingHandled(sql, {
      stream: streams.measurements,
      durable: measuredConsumer,
      handle: async (messages) => {
        // One sum less; the next one contains it.
        const read = messages.flatMap(
          (message) => readMessage(message, measuredOn(message.subject), lifecycle.log) ?? [],
        );
        const readers = await takeIn({ sql, transaction, alertAfterSeconds }, read);
        for (const { id, userId } of readers) nc.publish(healthSubject('stats', userId, id));
      },
    }),
    lifecycle,
  );
}

/** A measurement of a kind that its sender may send. */
export const measuredOn = (subject: string) => ({
  parse: (value: unknown): Measured => {
    const read = measured.parse(value);
    if (!measuredBy[senderOf(subject)]?.includes(read.kind))
      throw new Error('a measurement of another sender');
    return read;
  },
});

type Parts = Pick<ServiceBase, 'sql' | 'transaction'> & { readonly alertAfterSeconds: number };

/**
 * Each kind in a transaction of its own: what was kept before another failed is the same when it comes again.
 * @returns whom it is worth another look
 */
export async function takeIn(
  { sql, transaction, alertAfterSeconds }: Parts,
  messages: readonly Measured[],
): Promise<Reader[]> {
  const traffic = messages.flatMap((one) => (one.kind === 'traffic' ? one.rows : []));
  const origins = messages.flatMap((one) => (one.kind === 'origins' ? one.rows : []));
  const states = messages.flatMap((one) => (one.kind === 'state' ? one.state : []));
  if (traffic.length > 0) await keepTraffic(sql, traffic);
  return [
    ...(origins.length > 0 ? await transaction((tx) => keepOrigins(tx, origins, alertAfterSeconds)) : []),
    ...(states.length > 0 ? await transaction((tx) => keepAllOf(tx.sql, states)) : []),
  ];
}

async function keepAllOf(sql: AnySql, states: readonly ProxyState[]): Promise<Reader[]> {
  const readers = await keepStates(sql, states);
  await keepModes(sql, states);
  await forgetFailures(sql, states);
  return readers;
}
