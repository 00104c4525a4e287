import type { Msg } from '@nats-io/transport-node';
import type { Log } from '../log.ts';
import { perMember } from '../process/members.ts';
import { counter } from '../telemetry/metrics.ts';

const logEveryMs = 60_000;
const unreadable = counter(
  'talpa_unreadable_messages_total',
  'Messages that were dropped because their content is not what their subject promises',
  ['subject'],
);
const loggedAt = perMember(() => new Map<string, number>());

/**
 * Reads a message that a subscription's callback gets; null when its content is not of that shape. A callback that throws
 * ends the reading of its whole connection (nats-core 3.4.0), so a captured process could silence another one.
 */
export function readMessage<T>(
  message: Pick<Msg, 'subject' | 'json'>,
  schema: { parse(value: unknown): T },
  log: Log,
): T | null {
  try {
    return schema.parse(message.json());
  } catch (error) {
    drop(message.subject, error, log);
    return null;
  }
}

/** Counts it, and logs one a minute of each kind of subject: who forges them could fill the log. */
function drop(subject: string, err: unknown, log: Log): void {
  // The last part names a record.
  const kind = subject.slice(0, subject.lastIndexOf('.'));
  unreadable.labels(kind).inc();
  const now = performance.now();
  if (now - (loggedAt().get(kind) ?? Number.NEGATIVE_INFINITY) < logEveryMs) return;
  loggedAt().set(kind, now);
  log.warn({ err, subject }, 'message cannot be read: dropped');
}
