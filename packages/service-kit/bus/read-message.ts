import type { Msg } from '@nats-io/transport-node';
import type { Log } from '../log.ts';
import { perMember } from '../shared-process.ts';
import { counter } from '../telemetry/metrics.ts';

const logEveryMs = 60_000;
const unreadable = counter(
  'talpa_unreadable_messages_total',
  'Messages that were dropped because their content is not what their subject promises',
  ['subject'],
);
const loggedAt = perMember(() => new Map<string, number>());

/**
 * Reads a message; null when its content is not of that shape. Durable consumers and the callbacks of subscriptions read
 * all they get with it: what one throws comes again for ever, and ends the reading of the other's whole connection
 * (nats-core 3.4.0), so a captured process could silence another one.
 */
export function readMessage<T>(
  message: Pick<Msg, 'subject' | 'string'>,
  schema: { parse(value: unknown): T },
  log: Log,
): T | null {
  try {
    return parseMessage(message.string(), schema);
  } catch (error) {
    logUnreadable(message.subject, error, log);
    return null;
  }
}

/** @throws Error when the text is no JSON of that shape, or holds characters that Postgres does not store */
export function parseMessage<T>(text: string, schema: { parse(value: unknown): T }): T {
  // Both can only be written as escapes.
  return schema.parse(JSON.parse(text, text.includes('\\u') ? refuseUnstorable : undefined));
}

function refuseUnstorable(key: string, value: unknown): unknown {
  for (const text of [key, value])
    if (typeof text === 'string' && (text.includes('\0') || !text.isWellFormed()))
      throw new Error('a text holds NUL or half a character');
  return value;
}

/** Counts it, and logs one a minute of each kind of subject: who forges them could fill the log. */
export function logUnreadable(
  subject: string,
  err: unknown,
  log: Log,
  what = 'message cannot be read: dropped',
): void {
  // The last part names a record, or the sender.
  const kind = subject.slice(0, subject.lastIndexOf('.'));
  unreadable.labels(kind).inc();
  const now = performance.now();
  if (now - (loggedAt().get(kind) ?? Number.NEGATIVE_INFINITY) < logEveryMs) return;
  loggedAt().set(kind, now);
  log.warn({ err, subject }, what);
}
