import type { NatsConnection } from '@nats-io/transport-node';
import { type EventName, type EventOf, events, type ServiceName } from '@talpa/contracts';
import { appliedSubject, copyConsumer, streams } from '../bus/subjects.ts';
import { type TransactionTools, type Tx, withTransaction } from '../database/transaction.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { startConsumer } from './consume.ts';

/**
 * Keeps this service's copy of another's rows: `apply` upserts where its version is older, inside a
 * transaction, and touches the users it concerns. Whoever waits for the copy is told afterwards.
 */
export function keepCopy<N extends EventName>(
  service: ServiceName,
  name: N,
  apply: (tx: Tx, snapshot: EventOf<N>) => Promise<void>,
  tools: TransactionTools & { readonly nc: NatsConnection },
  lifecycle: Lifecycle,
): void {
  startConsumer(
    tools.nc,
    {
      stream: streams.events,
      durable: copyConsumer(service, name),
      concurrency: 8,
      handle: async (message) => {
        const snapshot = events[name].schema.parse(message.json()) as EventOf<N>;
        await withTransaction(tools, (tx) => apply(tx, snapshot));
        tools.nc.publish(appliedSubject(service, name, String(snapshot.id)), message.data);
      },
    },
    lifecycle,
  );
}
