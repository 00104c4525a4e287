import type { Tx } from '@talpa/service-kit/database/transaction';
import { lags, type ProxyRow, saveProxy, wakeWorker } from './row.ts';

/** Stores a locked row whose visitors are let through from now on, or no longer; the worker changes its rule at the provider. */
export async function saveTurned(tx: Tx, row: ProxyRow): Promise<ProxyRow> {
  // Without a tunnel there is nothing to change; the next one will be made as is right then.
  if (row.applied === null && !lags(row)) return saveProxy(tx, row);
  await wakeWorker(tx, row.serverUuid, { urgent: true });
  return saveProxy(tx, { ...row, generation: row.generation + 1 });
}
