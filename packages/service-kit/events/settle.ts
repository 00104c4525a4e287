import type { JsMsg } from '@nats-io/jetstream';
import { busHeaders } from '../bus/message.ts';
import { logUnreadable } from '../bus/read-message.ts';
import { isDataRefused } from '../database/errors.ts';
import type { Log } from '../log.ts';
import { histogram } from '../telemetry/metrics.ts';
import { inScope } from '../telemetry/scope.ts';
import { traced } from '../telemetry/tracing.ts';

/** What a durable consumer's messages are for. */
export interface Handling {
  readonly stream: string;
  readonly durable: string;
  readonly handle: (messages: readonly JsMsg[]) => Promise<void>;
  /** What is done about a message that `handle` can never take in; left out: `drop`. */
  readonly giveUp?: typeof drop;
}

export async function drop({ subject }: JsMsg, why: unknown, log: Log): Promise<void> {
  logUnreadable(subject, why, log);
}

const handled = histogram('talpa_consumer_duration_seconds', 'Work on messages of the streams', [
  'consumer',
  'result',
]);

/** A message that could not be handled is tried again after this many ms. */
const retryDelay = (attempt: number) => Math.min(100 * 2 ** attempt, 30_000);

/**
 * Has messages handled and says of each to the server whether it is done or to be tried again.
 * @param isStopping what could not be handled together is given back then
 */
export function settler(
  { durable, handle, giveUp = drop }: Handling,
  log: Log,
  isStopping: () => boolean,
): (messages: readonly JsMsg[]) => Promise<void> {
  const [done, failed] = [handled.labels(durable, 'done'), handled.labels(durable, 'failed')];

  const settle = async (messages: readonly JsMsg[]): Promise<void> => {
    if (isStopping()) {
      for (const message of messages) message.nak();
      return;
    }
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1_000;
    const work = async () => {
      try {
        await handle(messages);
      } catch (error) {
        const [message, ...others] = messages;
        if (!message || others.length > 0 || !isDataRefused(error)) throw error;
        await giveUp(message, error, log);
      }
    };
    try {
      await asSteps(durable, messages, work);
      for (const message of messages) {
        message.ack();
        done.observe(seconds());
      }
    } catch (error) {
      const [message, ...others] = messages;
      if (!message) return;
      if (others.length > 0) {
        log.warn(
          { err: error, durable, count: messages.length },
          'batch failed, retrying its messages individually',
        );
        for (const one of messages) await alone(one);
        return;
      }
      failed.observe(seconds());
      const attempt = message.info.deliveryCount;
      const facts = { durable, subject: message.subject, attempt };
      const delay = retryDelay(attempt);
      log.warn({ err: error, ...facts, delay }, 'message could not be processed, retrying');
      message.nak(delay);
    }
  };
  // Whose request it belongs to is known of one message alone.
  const alone = (message: JsMsg) =>
    inScope({ requestId: message.headers?.get(busHeaders.requestId), call: durable }, () =>
      settle([message]),
    );
  return (messages) => {
    const [message, ...others] = messages;
    if (message && others.length === 0) return alone(message);
    return inScope({ call: durable }, () => settle(messages));
  };
}

/** A step in the trace of each message that has one. What nobody traces begins none: messages come all the time. */
function asSteps(durable: string, messages: readonly JsMsg[], work: () => Promise<void>): Promise<void> {
  const steps = messages.reduceRight<() => Promise<void>>((inner, message) => {
    const parent = message.headers?.get(busHeaders.traceparent);
    return parent ? () => traced(durable, { kind: 'consumer', parent }, inner) : inner;
  }, work);
  return steps();
}
