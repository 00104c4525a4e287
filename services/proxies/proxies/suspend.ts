import type { Routes, Verb } from '@talpa/contracts';
import { changesBetween, refuseEditConflict } from '@talpa/service-kit/database/changes';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { lockProxy } from '../proxy/find.ts';
import type { ProxyRow } from '../proxy/row.ts';
import { saveSuspension } from '../proxy/save-suspension.ts';
import { publicProxyFor } from '../server/token-rights.ts';

/** An administrator suspends a proxy. Another reason leaves the date. */
export const suspendProxy: Verb<
  Routes['POST /api/admin/tunnel-configs/:id/suspension'],
  ProxiesContext
> = async (context, input) => {
  const saved = await context.transaction(async (tx) => {
    const row = await lockProxy(tx, input.id, context);
    refuseEditConflict(input.expected, { reason: row.suspensionReason });
    const next = await saveSuspension(tx, row, {
      suspendedAt: row.suspendedAt ?? new Date(),
      suspensionReason: input.reason,
    });
    await auditSuspension(tx, row, next);
    return next;
  });
  return publicProxyFor(context.reads, saved, context.actor);
};

/** What the audit trail shows of a proxy's own suspension. */
export async function auditSuspension(tx: Tx, before: ProxyRow, after: ProxyRow): Promise<void> {
  const changes = changesBetween({ reason: before.suspensionReason }, { reason: after.suspensionReason });
  if (Object.keys(changes).length > 0) await tx.audit({ ...auditOf(after), changes });
}
