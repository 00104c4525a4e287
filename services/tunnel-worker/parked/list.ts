import type { InternalCalls, Verb } from '@talpa/contracts';
import type { WorkerContext } from '../app.ts';

interface ParkedRow {
  proxyId: string;
  generation: number;
  failures: number;
  reason: string;
  detail: string;
  parkedAt: Date;
}

/** What was given up at the usual pace, oldest first. */
export const listParked: Verb<InternalCalls['worker.listParked'], WorkerContext> = async ({ sql }) => {
  const rows = await sql<ParkedRow[]>`
    select proxy_id, generation, failures, parked_reason as reason, parked_detail as detail, parked_at
    from leases where parked_at is not null order by parked_at limit 1000`;
  return rows.map((row) => ({ ...row, parkedAt: row.parkedAt.toISOString() }));
};
