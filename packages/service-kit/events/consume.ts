import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { type Consumer, type JsMsg, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { streamsOf } from '../bus/connect.ts';
import { isNotFound } from '../bus/setup.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { gauge } from '../telemetry/metrics.ts';
import { measureLag } from './lag.ts';
import { type Handling, settler } from './settle.ts';

/** Well below the consumers' `ack_wait` (bus/setup.ts). */
const beatMs = 1_000;
/** What fails after so long had worked: it is said again, and the pauses begin anew. */
const soundMs = 10_000;
const missing = gauge('talpa_consumer_missing', '1 while NATS does not know the consumer or its stream', [
  'consumer',
]);
/**
 * NATS takes a message without content for the last response to a pull, and what it delivers to that pull beyond it is lost until
 * `ack_wait`. For so long after one messages are pulled one by one: no sender slows down the others with them.
 */
const singlyMs = 30_000;
/** So many messages are handled together at most. */
const batchSize = 100;

/**
 * Hands a durable consumer's messages to `handle`, at most `concurrency` at once, for as long as the
 * process lives. Handled is acknowledged; a throw is tried again after a delay.
 */
export function startConsumer(
  nc: NatsConnection,
  options: Omit<Handling, 'handle'> & {
    readonly concurrency: number;
    readonly handle: (message: JsMsg) => Promise<void>;
  },
  lifecycle: Lifecycle,
): void {
  const { concurrency, handle } = options;
  const one = async (messages: readonly JsMsg[]) => {
    for (const message of messages) await handle(message);
  };
  receive(nc, { ...options, handle: one }, { concurrency, together: 1 }, lifecycle);
}

/**
 * Hands over together what has come while what came before was being handled: a message that comes alone is
 * handled at once and alone. When a batch fails its messages are handled one by one, so that one that cannot be
 * handled holds up no other. `handle` does all of it or nothing, or may be repeated.
 */
export function startBatchConsumer(nc: NatsConnection, handling: Handling, lifecycle: Lifecycle): void {
  receive(nc, handling, { concurrency: 1, together: batchSize }, lifecycle);
}

function receive(
  nc: NatsConnection,
  handling: Handling,
  { concurrency, together }: { readonly concurrency: number; readonly together: number },
  lifecycle: Lifecycle,
): void {
  const { stream, durable } = handling;
  const waiting: JsMsg[] = [];
  const underWay = new Set<Promise<void>>();
  /** All that was handed to us and is not settled. */
  const held = new Set<JsMsg>();
  let stopping = false;
  let stopMessages = () => {};
  const settle = settler(handling, lifecycle.log, () => stopping);
  measureLag(nc, stream, durable);

  // What takes long must not be handed to a second process meanwhile.
  const beat = setInterval(() => {
    for (const message of held) message.working();
  }, beatMs);
  const handOver = async () => {
    // What has come in one go is together by then.
    if (together > 1) await turnOfTheLoop();
    const batch = waiting.splice(0, together);
    try {
      await settle(batch);
    } catch (error) {
      lifecycle.log.warn(
        { err: error, durable },
        'message could not be acknowledged, NATS will redeliver it',
      );
    }
    for (const message of batch) held.delete(message);
  };
  const startNext = () => {
    while (waiting.length > 0 && underWay.size < concurrency) {
      const task = handOver().finally(() => {
        underWay.delete(task);
        startNext();
      });
      underWay.add(task);
    }
  };
  let singlyUntil = 0;
  const consumeOnce = async (consumer: Consumer) => {
    const singly = performance.now() < singlyUntil;
    const messages = await consumer.consume({
      max_messages: singly ? 1 : Math.max(concurrency, together),
      expires: 10_000,
      // Without it the client would ask for ever, and in silence.
      abort_on_missing_resource: true,
    });
    stopMessages = () => messages.stop();
    for await (const message of messages) {
      held.add(message);
      waiting.push(message);
      startNext();
      if (message.data.length === 0) singlyUntil = performance.now() + singlyMs;
      if (singly !== performance.now() < singlyUntil) messages.stop();
      while (waiting.length >= together) await Promise.race(underWay);
    }
  };

  missing.set({ consumer: durable }, 0);
  void (async () => {
    let failures = 0;
    while (!stopping) {
      const since = performance.now();
      try {
        // Looked up anew each time: after an outage the old handle may be dead.
        const consumer = await jetstream(streamsOf(nc), { timeout: 2_000 }).consumers.get(stream, durable);
        missing.set({ consumer: durable }, 0);
        await consumeOnce(consumer);
      } catch (error) {
        failures = performance.now() - since > soundMs ? 1 : failures + 1;
        const isGone = isNotFound(error);
        missing.set({ consumer: durable }, isGone ? 1 : 0);
        if (failures === 1 && !stopping && isGone)
          lifecycle.log.error(
            { durable, stream },
            'consumer is gone from NATS, messages wait: run `migrate`, or restart `npm start`, which makes it again',
          );
        else if (failures === 1 && !stopping)
          lifecycle.log.warn({ err: error, durable }, 'messages cannot be received from NATS, retrying');
      }
      if (!stopping)
        await new Promise((resolve) => setTimeout(resolve, Math.min(100 * 2 ** failures, 2_000)));
    }
  })();
  lifecycle.onStop(`consumer ${durable}`, async () => {
    stopping = true;
    stopMessages();
    // The last of them gives back what is waiting.
    while (underWay.size > 0) await Promise.all(underWay);
    clearInterval(beat);
  });
}
