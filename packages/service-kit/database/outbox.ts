import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { streamsOf } from '../bus/connect.ts';
import { traceHeaders } from '../bus/message.ts';
import { isSnapshot } from '../bus/subjects.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { counter, gauge, readOnScrape } from '../telemetry/metrics.ts';
import type { Sql } from './sql.ts';

/** Relays what transactions wrote into the outbox table. */
export interface Outbox {
  /** There is something to relay: do it now, not at the next look. */
  kick(): void;
}

const batchSize = 200;
const idleMs = 1_000;
const publishTimeoutMs = 2_000;

/** More are not counted: counting a long backlog would load the database that is already behind. */
const countedUpTo = 10_000;

const waiting = gauge('talpa_outbox_messages', 'Messages that wait to be relayed, counted up to 10 000');
const oldest = gauge('talpa_outbox_oldest_seconds', 'How long the oldest of them has waited');
const relayed = counter('talpa_outbox_relayed_total', 'Messages relayed');
const failed = counter('talpa_outbox_failures_total', 'Attempts to relay messages that failed');

interface OutboxRow {
  id: number;
  /** For JetStream's duplicate check. Nobody can guess it: a message with a known one is not stored a second time. */
  messageId: string;
  subject: string;
  payload: unknown;
  requestId: string | null;
  traceparent: string | null;
}

/**
 * Starts the relay of this process. Relays of one schema take turns, so messages keep their order; a
 * message is gone once JetStream has stored it, and may be sent twice but never lost.
 */
export function startOutbox(sql: Sql, nc: NatsConnection, lifecycle: Lifecycle): Outbox {
  const js = jetstream(streamsOf(nc), { timeout: publishTimeoutMs });
  let wake = () => {};
  let kicked = false;
  let stopping = false;

  for (const one of [relayed, failed]) one.inc(0);
  readOnScrape('outbox', [waiting, oldest], async () => {
    const [row] = await sql<{ count: number; seconds: number }[]>`
      select count(*), coalesce(greatest(0, extract(epoch from now() - min(created_at))), 0)::float8 as seconds
      from (select created_at from outbox order by id limit ${countedUpTo}) counted`;
    waiting.set(row?.count ?? 0);
    oldest.set(row?.seconds ?? 0);
  });
  const isEmpty = async () => (await sql`select 1 from outbox limit 1`).length === 0;
  const relayBatch = () =>
    sql.begin(async (tx) => {
      // Locked by id: the relay of another process waits at the first one, and then takes what is left.
      const rows = await tx<OutboxRow[]>`
        delete from outbox
        where id = any (array (select id from outbox order by id limit ${batchSize} for update))
        returning id, message_id, subject, payload, request_id, traceparent`;
      rows.sort((a, b) => a.id - b.id);
      // Before COMMIT: what JetStream does not confirm is not gone.
      const inTurn = Map.groupBy(rows, ({ id, subject }) => (isSnapshot(subject) ? subject : id));
      await Promise.all([...inTurn.values()].map(publishInTurn));
      return rows.length;
    });
  /** Were the second stored and the first refused, the first, sent again, would be the last of its row. */
  const publishInTurn = async (rows: readonly OutboxRow[]) => {
    for (const row of rows) {
      const payload = JSON.stringify(row.payload);
      const { seq } = await js.publish(row.subject, payload, {
        msgID: row.messageId,
        headers: traceHeaders(row),
      });
      // In a cluster NATS 2.10 says so of what it has begun to store and may still lose.
      if (seq === 0) throw new Error('JetStream calls a message a duplicate, and has not stored it');
      // Pages that are open get it on the bus: what enters the account of the streams does not leave it.
      if (isSnapshot(row.subject)) nc.publish(row.subject, payload);
    }
  };

  const loop = (async () => {
    let failures = 0;
    while (!stopping) {
      const wasKicked = kicked;
      kicked = false;
      let delay = idleMs;
      try {
        const count = wasKicked || !(await isEmpty()) ? await relayBatch() : 0;
        relayed.inc(count);
        if (count === batchSize) delay = 0;
        failures = 0;
      } catch (error) {
        failures += 1;
        failed.inc();
        if (failures === 1) lifecycle.log.warn({ err: error }, 'outbox cannot be relayed to NATS, retrying');
        delay = Math.min(50 * 2 ** failures, 2_000);
        kicked = false;
      }
      if (kicked || stopping) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delay);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();
  lifecycle.onStop('outbox', async () => {
    stopping = true;
    wake();
    await loop;
  });
  return {
    kick: () => {
      kicked = true;
      wake();
    },
  };
}
