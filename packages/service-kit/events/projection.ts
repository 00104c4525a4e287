import type { JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type EventName, type EventOf, events, type ServiceName } from '@talpa/contracts';
import { appliedSubject, projectionConsumer, streams } from '../bus/subjects.ts';
import { type TransactionTools, type Tx, withTransaction } from '../database/transaction.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { startBatchConsumer, startConsumer } from './consume.ts';

type Tools = TransactionTools & { readonly nc: NatsConnection };

/**
 * Keeps this service's projection of another service's rows: `apply` upserts where its version is older, inside a
 * transaction, and invalidates the cache of the users it concerns. After COMMIT it publishes `applied.*` for those that wait for it.
 */
export function runProjection<N extends EventName>(
  service: ServiceName,
  name: N,
  apply: (tx: Tx, snapshot: EventOf<N>) => Promise<void>,
  tools: Tools,
  lifecycle: Lifecycle,
): void {
  const { source, read, tell } = projectionOf(service, name, tools.nc);
  const handle = async (message: JsMsg) => {
    const snapshot = read(message);
    await withTransaction(tools, (tx) => apply(tx, snapshot));
    tell(snapshot, message);
  };
  startConsumer(tools.nc, { ...source, concurrency: 8, handle }, lifecycle);
}

/**
 * The same for a projection that applies many snapshots in one transaction: those that have come together, of one
 * row perhaps several, in any order. They belong to no single request: `apply` tells other services nothing.
 */
export function runBatchProjection<N extends EventName>(
  service: ServiceName,
  name: N,
  apply: (tx: Tx, snapshots: readonly EventOf<N>[]) => Promise<void>,
  tools: Tools,
  lifecycle: Lifecycle,
): void {
  const { source, read, tell } = projectionOf(service, name, tools.nc);
  const handle = async (messages: readonly JsMsg[]) => {
    const told = messages.map((message) => ({ message, snapshot: read(message) }));
    await withTransaction(tools, (tx) =>
      apply(
        tx,
        told.map(({ snapshot }) => snapshot),
      ),
    );
    for (const { snapshot, message } of told) tell(snapshot, message);
  };
  startBatchConsumer(tools.nc, { ...source, handle }, lifecycle);
}

function projectionOf<N extends EventName>(service: ServiceName, name: N, nc: NatsConnection) {
  return {
    source: { stream: streams.events, durable: projectionConsumer(service, name) },
    read: (message: JsMsg) => events[name].schema.parse(message.json()) as EventOf<N>,
    tell: (snapshot: EventOf<N>, message: JsMsg) =>
      nc.publish(appliedSubject(service, name, String(snapshot.id)), message.data),
  };
}
