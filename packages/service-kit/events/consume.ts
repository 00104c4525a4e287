import { type Consumer, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { busHeaders } from '../bus/message.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { gauge, histogram, readOnScrape } from '../telemetry/metrics.ts';
import { inScope } from '../telemetry/scope.ts';
import { traced } from '../telemetry/tracing.ts';

/** A message that could not be handled is tried again after this many ms, by attempt. */
export type RetryDelay = (attempt: number) => number;

const labels = ['consumer'] as const;
const handled = histogram('talpa_consumer_duration_seconds', 'Work on messages of the streams', [
  'consumer',
  'result',
]);
const pending = gauge('talpa_consumer_pending', 'Messages not yet handed to a consumer: its lag', labels);
const running = gauge(
  'talpa_consumer_unacknowledged',
  'Messages handed to a consumer and not yet done',
  labels,
);
const again = gauge('talpa_consumer_redelivered', 'Messages among them that were handed out before', labels);

/** Asks the server how far a consumer is behind. */
function measureLag(nc: NatsConnection, stream: string, durable: string): void {
  consumers.set(durable, stream);
  readOnScrape('consumers', [pending, running, again], async () => {
    const manager = await jetstreamManager(nc, { checkAPI: false, timeout: 1_500 });
    await Promise.all(
      [...consumers].map(async ([consumer, of]) => {
        const info = await manager.consumers.info(of, consumer);
        pending.set({ consumer }, info.num_pending);
        running.set({ consumer }, info.num_ack_pending);
        again.set({ consumer }, info.num_redelivered);
      }),
    );
  });
}
const consumers = new Map<string, string>();

/** Well below the consumers' `ack_wait` (bus/setup.ts). */
const beatMs = 3_000;

export const defaultRetryDelay: RetryDelay = (attempt) => Math.min(100 * 2 ** attempt, 30_000);

/**
 * Hands a durable consumer's messages to `handle`, at most `concurrency` at once, for as long as the
 * process lives. Handled is acknowledged; a throw is tried again after a delay.
 */
export function startConsumer(
  nc: NatsConnection,
  options: {
    readonly stream: string;
    readonly durable: string;
    readonly concurrency: number;
    readonly retryDelay?: RetryDelay;
    readonly handle: (message: JsMsg) => Promise<void>;
  },
  lifecycle: Lifecycle,
): void {
  const { stream, durable, concurrency, handle, retryDelay = defaultRetryDelay } = options;
  const underWay = new Set<Promise<void>>();
  const [done, failed] = [handled.labels(durable, 'done'), handled.labels(durable, 'failed')];
  measureLag(nc, stream, durable);
  let stopping = false;
  let stopMessages = () => {};

  const run = async (message: JsMsg) => {
    // A long run must not be handed to a second process meanwhile.
    const startedAt = performance.now();
    const beat = setInterval(() => message.working(), beatMs);
    try {
      // What nobody traces begins no trace here: messages come all the time.
      const parent = message.headers?.get(busHeaders.traceparent);
      if (parent) await traced(durable, { kind: 'consumer', parent }, () => handle(message));
      else await handle(message);
      message.ack();
      done.observe((performance.now() - startedAt) / 1_000);
    } catch (error) {
      failed.observe((performance.now() - startedAt) / 1_000);
      const attempt = message.info.deliveryCount;
      const facts = { durable, subject: message.subject, attempt };
      const delay = retryDelay(attempt);
      lifecycle.log.warn({ err: error, ...facts, delay }, 'will be tried again');
      message.nak(delay);
    } finally {
      clearInterval(beat);
    }
  };

  const consumeOnce = async (consumer: Consumer) => {
    const messages = await consumer.consume({ max_messages: concurrency, expires: 10_000 });
    stopMessages = () => messages.stop();
    for await (const message of messages) {
      if (stopping) {
        message.nak();
        continue;
      }
      const scope = { requestId: message.headers?.get(busHeaders.requestId), call: durable };
      const task = inScope(scope, () => run(message)).catch((error) =>
        lifecycle.log.warn({ err: error, durable }, 'ack failed'),
      );
      underWay.add(task);
      void task.finally(() => underWay.delete(task));
      if (underWay.size >= concurrency) await Promise.race(underWay);
    }
  };

  void (async () => {
    let failures = 0;
    while (!stopping) {
      try {
        // Looked up anew each time: after an outage the old handle may be dead.
        const consumer = await jetstream(nc, { timeout: 2_000 }).consumers.get(stream, durable);
        failures = 0;
        await consumeOnce(consumer);
      } catch (error) {
        failures += 1;
        if (failures === 1 && !stopping)
          lifecycle.log.warn({ err: error, durable }, 'cannot receive, trying on');
      }
      if (!stopping)
        await new Promise((resolve) => setTimeout(resolve, Math.min(100 * 2 ** failures, 2_000)));
    }
  })();
  lifecycle.onStop(`consumer ${durable}`, async () => {
    stopping = true;
    stopMessages();
    await Promise.all(underWay);
  });
}
