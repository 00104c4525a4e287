import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { wakeWorker } from '../proxy/row.ts';

/** A proxy that lags this long without an enqueue command is enqueued again. */
const patience = '60 seconds';
const batch = 100;

/** Wakes the worker for every proxy that lags behind its desired state, even if its enqueue command was lost. */
export function startSweep(base: ServiceBase, intervalMs: number, lifecycle: Lifecycle): void {
  const sweep = () =>
    base.transaction(async (tx) => {
      const rows = await tx.sql<{ uuid: string }[]>`
        update proxies set woken_at = now() where id in (
          select id from proxies
          where generation > applied_generation and woken_at < now() - ${patience}::interval
          order by woken_at limit ${batch} for update skip locked)
        returning uuid`;
      for (const { uuid } of rows) await wakeWorker(tx, uuid);
    });
  lifecycle.every(intervalMs, sweep, {
    failed: 'sweep for lagging proxies failed, retrying',
    delayed: true,
  });
}
