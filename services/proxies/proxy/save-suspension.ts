import type { Tx } from '@talpa/service-kit/database/transaction';
import { type ProxyRow, saveProxy } from './row.ts';
import { saveTurned } from './save-turned.ts';
import { type Suspensions, suspensionOf } from './suspension.ts';

/** Stores a changed suspension of a locked row; the worker cuts its tunnel off, or opens it again. */
export async function saveSuspension(tx: Tx, row: ProxyRow, change: Partial<Suspensions>): Promise<ProxyRow> {
  const next = { ...row, ...change };
  const turns = (suspensionOf(next) === null) !== (suspensionOf(row) === null);
  return turns ? saveTurned(tx, next) : saveProxy(tx, next);
}
