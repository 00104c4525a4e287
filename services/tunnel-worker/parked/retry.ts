import type { InternalCalls, Verb } from '@talpa/contracts';
import type { WorkerContext } from '../app.ts';

/**
 * Tries what is parked as if it had never failed. That it is to be tried is stored by the statement that
 * takes it from the list.
 */
export const retryParked: Verb<InternalCalls['worker.retryParked'], WorkerContext> = async (
  { sql, work },
  { proxyId },
) => {
  const { count } = await sql`
    update leases set due_at = now(), retry_at = null, failures = 0,
      parked_at = null, parked_reason = null, parked_detail = null
    where parked_at is not null ${proxyId ? sql`and proxy_id = ${proxyId}` : sql``}`;
  work.kick();
  return { woken: count };
};
