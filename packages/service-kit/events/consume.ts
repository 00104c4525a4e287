import { type Consumer, type JsMsg, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Lifecycle } from '../process/lifecycle.ts';

/** A message that could not be handled is tried again after this many ms, by attempt. */
export type RetryDelay = (attempt: number) => number;

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
  const running = new Set<Promise<void>>();
  let stopping = false;
  let stopMessages = () => {};

  const run = async (message: JsMsg) => {
    // A long run must not be handed to a second process meanwhile.
    const beat = setInterval(() => message.working(), beatMs);
    try {
      await handle(message);
      message.ack();
    } catch (error) {
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
      const task = run(message).catch((error) => lifecycle.log.warn({ err: error, durable }, 'ack failed'));
      running.add(task);
      void task.finally(() => running.delete(task));
      if (running.size >= concurrency) await Promise.race(running);
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
    await Promise.all(running);
  });
}
