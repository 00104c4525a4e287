import type { Routes, Verb } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../app.ts';
import { lockProxy, type ProxyRow, saveProxy, wakeWorker } from './row.ts';

/** Deletes a proxy: it is gone from every list at once, the worker cleans up at the provider. */
export const deleteProxy: Verb<Routes['DELETE /api/tunnel-configs/:id'], ProxiesContext> = async (
  context,
  input,
) => {
  await context.transaction(async (tx) => removeProxy(tx, await lockProxy(tx, input.id, context.actor)));
  return null;
};

/** Hides a locked row and wants nothing at the provider any more. Its names stay reserved until that is so. */
export async function removeProxy(tx: Tx, row: ProxyRow): Promise<void> {
  await saveProxy(tx, {
    ...row,
    removedAt: new Date(),
    generation: row.generation + 1,
    awaitedUntil: null,
  });
  await wakeWorker(tx, row.uuid);
}
