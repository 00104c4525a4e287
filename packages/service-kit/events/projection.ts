import type { JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type EventName, type EventOf, events, internalCalls, type ServiceName } from '@talpa/contracts';
import { boundedCache } from '../bounded-cache.ts';
import { readMessage } from '../bus/read-message.ts';
import { callInternal, systemCall } from '../bus/request.ts';
import { appliedSubject, eventSubject, projectionConsumer, streams } from '../bus/subjects.ts';
import { type TransactionTools, type Tx, withTransaction } from '../database/transaction.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { perMember } from '../shared-process.ts';
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
  const { source, read, publishApplied } = projectionOf(service, name, tools, lifecycle);
  const handle = async (message: JsMsg) => {
    const snapshot = await read(message);
    if (!snapshot) return;
    await withTransaction(tools, (tx) => apply(tx, snapshot));
    publishApplied(snapshot, message);
  };
  startConsumer(tools.nc, { ...source, concurrency: 8, handle }, lifecycle);
}

/**
 * The same for a projection that applies a batch of snapshots in one transaction. A batch may hold several snapshots of
 * one row, in any order. It belongs to no single request, so `apply` must not emit events.
 */
export function runBatchProjection<N extends EventName>(
  service: ServiceName,
  name: N,
  apply: (tx: Tx, snapshots: readonly EventOf<N>[]) => Promise<void>,
  tools: Tools,
  lifecycle: Lifecycle,
): void {
  const { source, read, publishApplied } = projectionOf(service, name, tools, lifecycle);
  const handle = async (messages: readonly JsMsg[]) => {
    const known: { readonly message: JsMsg; readonly snapshot: EventOf<N> }[] = [];
    for (const message of messages) {
      const snapshot = await read(message);
      if (snapshot) known.push({ message, snapshot });
    }
    if (known.length === 0) return;
    await withTransaction(tools, (tx) =>
      apply(
        tx,
        known.map(({ snapshot }) => snapshot),
      ),
    );
    for (const { snapshot, message } of known) publishApplied(snapshot, message);
  };
  startBatchConsumer(tools.nc, { ...source, handle }, lifecycle);
}

function projectionOf<N extends EventName>(service: ServiceName, name: N, { nc }: Tools, { log }: Lifecycle) {
  return {
    source: { stream: streams.events, durable: projectionConsumer(service, name) },
    /** The message's snapshot; null when it is none and none can be lacking. @throws when its owner publishes it again */
    read: async (message: JsMsg): Promise<EventOf<N> | null> => {
      const snapshot = readMessage(message, snapshotOn(message.subject, name), log);
      if (!snapshot) await republishRow(nc, name, message.subject);
      return snapshot;
    },
    publishApplied: (snapshot: EventOf<N>, message: JsMsg) =>
      nc.publish(appliedSubject(service, name, String(snapshot.id)), message.data),
  };
}

/** A snapshot is the one of the row that its subject names. */
const snapshotOn = <N extends EventName>(subject: string, name: N) => ({
  parse: (value: unknown) => {
    const snapshot = events[name].schema.parse(value) as EventOf<N>;
    if (eventSubject(name, String(snapshot.id)) !== subject) throw new Error('a snapshot of another row');
    return snapshot;
  },
});

/** Rows that are asked for no more for a while: an owner whose own snapshots we cannot read would be asked without end. */
const asked = perMember(() => boundedCache<string, true>(10_000, { ttl: 60_000 }));

/**
 * NATS publishes its responses to requests wherever a process asks it to, on the subject of a row too, where the stream then keeps
 * them instead of the last snapshot. A projection that finds one there has the owner publish the row again.
 * @throws Error when that was done: the message is given back, and is gone from the stream once the snapshot is there
 */
async function republishRow(nc: NatsConnection, name: EventName, subject: string): Promise<void> {
  if (!asked().has(subject)) {
    const id = subject.slice(eventSubject(name, '').length);
    const call = `${events[name].owner}.republishRow` as const;
    // What its owner does not even take for an id names no row.
    if (!internalCalls[call].input.safeParse({ id }).success) return;
    const { published } = await callInternal(nc, call, { id }, systemCall(call));
    if (!published) return;
    asked().set(subject, true);
  }
  throw new Error('not a snapshot: its owner publishes it again');
}
