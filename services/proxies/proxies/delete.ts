import type { Routes, Verb } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { closeGamePorts } from '../game-ports/close.ts';
import { announceSettled } from '../tunnels/settled.ts';
import { auditOf } from './audited.ts';
import { lockProxy } from './find.ts';
import { type ProxyRow, saveProxy, wakeWorker } from './row.ts';

/** Deletes a proxy: it is gone from every list at once, the worker cleans up at the provider. */
export const deleteProxy: Verb<Routes['DELETE /api/tunnel-configs/:id'], ProxiesContext> = async (
  context,
  input,
) => {
  const removed = await context.transaction(async (tx) => {
    const row = await lockProxy(tx, input.id, context);
    await tx.audit(auditOf(row));
    return removeProxy(tx, row);
  });
  // A caller that still waits for its tunnel need not.
  announceSettled(context.nc, removed.uuid, { generation: removed.generation, refused: null });
  return null;
};

/** Hides a locked row and wants nothing at the provider any more. Its names stay reserved until that is so. */
export async function removeProxy(tx: Tx, row: ProxyRow): Promise<ProxyRow> {
  await closeGamePorts(tx, row.id);
  const removed = await saveProxy(tx, {
    ...row,
    removedAt: new Date(),
    generation: row.generation + 1,
    awaitedUntil: null,
  });
  // Its last snapshot still names its members, and whom it invites: their pages hear of it.
  await tx.sql`delete from members where proxy_id = ${row.id}`;
  await wakeWorker(tx, row.uuid);
  return removed;
}
