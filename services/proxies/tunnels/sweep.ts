import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { wakeWorker } from '../proxy/row.ts';

/** What lags this long without an enqueue command is enqueued again. */
const patience = '60 seconds';
const batch = 100;

/** Wakes the worker for every server that lags, or whose proxy does, behind its desired state, even if its enqueue command was lost. */
export function startSweep(base: ServiceBase, intervalMs: number, lifecycle: Lifecycle): void {
  const sweep = () =>
    base.transaction(async (tx) => {
      const lagging = async (table: 'servers' | 'proxies') => {
        const rows = await tx.sql<{ uuid: string }[]>`
          update ${tx.sql(table)} set woken_at = now() where id in (
            select id from ${tx.sql(table)}
            where generation > applied_generation and woken_at < now() - ${patience}::interval
            order by woken_at limit ${batch} for update skip locked)
          returning ${table === 'servers' ? tx.sql`uuid` : tx.sql`server_uuid as uuid`}`;
        return rows.map(({ uuid }) => uuid);
      };
      const uuids = new Set([...(await lagging('servers')), ...(await lagging('proxies'))]);
      for (const uuid of uuids) await wakeWorker(tx, uuid);
    });
  lifecycle.every(intervalMs, sweep, {
    failed: 'sweep for lagging servers failed, retrying',
    delayed: true,
  });
}
