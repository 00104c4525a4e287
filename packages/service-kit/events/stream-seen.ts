import type { NatsConnection } from '@nats-io/transport-node';
import { readStreamState } from '../bus/stream-state.ts';
import { streams } from '../bus/subjects.ts';
import type { TransactionTools } from '../database/transaction.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { type Owned, republish } from './republish.ts';

type Tools = TransactionTools & { readonly nc: NatsConnection };

const retryMs = 1_000;

/**
 * Does something whenever the stream of events is another one than before, or has been purged: what it held, and not
 * all consumers had acknowledged, is lost. Looks at once and then every `intervalMs`; a failure is tried again soon.
 * @param onAnother called with whether there was one before
 */
export function watchStream(
  { sql, nc }: Tools,
  intervalMs: number,
  onAnother: (hadOne: boolean, signal: AbortSignal) => Promise<unknown>,
  lifecycle: Lifecycle,
): void {
  const look = async (signal: AbortSignal) => {
    const { created, messages } = await readStreamState(nc, streams.events);
    const [seen] = await sql<
      { created: string; messages: number }[]
    >`select created, messages from stream_seen`;
    const isPurged = seen?.created === created && messages < seen.messages;
    if (seen?.created === created && !isPurged) {
      if (messages > seen.messages) await sql`update stream_seen set messages = ${messages}`;
      return;
    }
    if (isPurged)
      lifecycle.log.error(
        { stream: streams.events, had: seen.messages, has: messages },
        'event stream was purged: owners republish their rows; find out who purged it',
      );
    await onAnother(seen !== undefined, signal);
    await sql.begin(async (tx) => {
      await tx`delete from stream_seen`;
      await tx`
        insert into stream_seen (created, messages) values (${created}, ${messages}) on conflict do nothing`;
    });
  };
  lifecycle.every(intervalMs, look, {
    failed: 'the stream of events could not be looked at',
    level: 'debug',
    retryMs,
  });
}

/** Publishes all rows again to a stream that is new or was purged: projections heal by themselves after NATS has lost its store. */
export function republishToNewStreams(
  tools: Tools,
  owned: readonly Owned[],
  intervalMs: number,
  lifecycle: Lifecycle,
): void {
  const republishAll = async (_hadOne: boolean, signal: AbortSignal) => {
    const count = await republish(tools, owned, signal);
    lifecycle.log.info({ count }, 'event stream is new: every row was republished');
  };
  watchStream(tools, intervalMs, republishAll, lifecycle);
}
