import type { DeadLetter, InternalCalls, Verb } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
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
export const listDeadLetters: Verb<InternalCalls['tunnel-worker.listDeadLetters'], WorkerContext> = ({
  sql,
}) => selectDeadLetters(sql, 1_000);

export async function selectDeadLetters(sql: AnySql, limit: number): Promise<DeadLetter[]> {
  const rows = await sql<DeadLetterRow[]>`
    select proxy_id, generation, failures, dead_letter_reason as reason, dead_letter_detail as detail, dead_letter_at
    from jobs where dead_letter_at is not null order by dead_letter_at limit ${limit}`;
  return rows.map((row) => ({ ...row, deadLetterAt: row.deadLetterAt.toISOString() }));
}
