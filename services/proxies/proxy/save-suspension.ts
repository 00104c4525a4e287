import type { Tx } from '@talpa/service-kit/database/transaction';
import { lags, type ProxyRow, saveProxy, wakeWorker } from './row.ts';
import { type Suspensions, suspensionOf } from './suspension.ts';

/** Stores a changed suspension of a locked row; the worker cuts its tunnel off, or opens it again. */
export async function saveSuspension(tx: Tx, row: ProxyRow, change: Partial<Suspensions>): Promise<ProxyRow> {
  const next = { ...row, ...change };
  const turns = (suspensionOf(next) === null) !== (suspensionOf(row) === null);
  // Without a tunnel there is nothing to cut off; the next one will be made as is right then.
  if (!turns || (row.applied === null && !lags(row))) return saveProxy(tx, next);
  await wakeWorker(tx, row.serverUuid, { urgent: true });
  return saveProxy(tx, { ...next, generation: row.generation + 1 });
}
