import type { InternalCalls, Verb } from '@talpa/contracts';
import type { WorkerContext } from '../context.ts';

/**
 * Retries dead letters as if they had never failed. One statement takes them off the list and makes them due.
 */
export const retryDeadLetters: Verb<InternalCalls['tunnel-worker.retryDeadLetters'], WorkerContext> = async (
  { sql, jobs },
  { proxyId },
) => {
  const { count } = await sql`
    update jobs set due_at = now(), retry_at = null, failures = 0,
      dead_letter_at = null, dead_letter_reason = null, dead_letter_detail = null
    where dead_letter_at is not null ${proxyId ? sql`and proxy_id = ${proxyId}` : sql``}`;
  jobs.kick();
  return { enqueued: count };
};
