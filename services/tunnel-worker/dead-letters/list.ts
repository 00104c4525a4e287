import type { InternalCalls, Verb } from '@talpa/contracts';
import type { WorkerContext } from '../context.ts';

interface DeadLetterRow {
  proxyId: string;
  generation: number;
  failures: number;
  reason: string;
  detail: string;
  deadLetterAt: Date;
}

/** What was given up at the usual pace, oldest first. */
export const listDeadLetters: Verb<InternalCalls['tunnel-worker.listDeadLetters'], WorkerContext> = async ({
  sql,
}) => {
  const rows = await sql<DeadLetterRow[]>`
    select proxy_id, generation, failures, dead_letter_reason as reason, dead_letter_detail as detail, dead_letter_at
    from jobs where dead_letter_at is not null order by dead_letter_at limit 1000`;
  return rows.map((row) => ({ ...row, deadLetterAt: row.deadLetterAt.toISOString() }));
};
