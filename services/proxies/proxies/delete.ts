import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { announceSettled } from '../proxy/settled.ts';
import { lockWithServer } from '../server/find.ts';
import { removeProxy } from '../server/remove.ts';

/** Deletes a proxy: it is gone from every list at once, the worker cleans up at the provider. */
export const deleteProxy: Verb<Routes['DELETE /api/tunnel-configs/:id'], ProxiesContext> = async (
  context,
  input,
) => {
  const removed = await context.transaction(async (tx) => {
    const { locked, row } = await lockWithServer(tx, input.id, context);
    await tx.audit(auditOf(row));
    return removeProxy(tx, locked, row);
  });
  // A caller that still waits for its tunnel need not.
  announceSettled(context.nc, removed.uuid, { generation: removed.generation, refused: null });
  return null;
};
