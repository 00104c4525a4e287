import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { lockProxy } from '../proxy/find.ts';
import { saveSuspension } from '../proxy/save-suspension.ts';
import { auditSuspension } from './suspend.ts';

/** An administrator lifts a proxy's own suspension: its configuration is restored, its token is good as before. */
export const liftProxySuspension: Verb<
  Routes['DELETE /api/admin/tunnel-configs/:id/suspension'],
  ProxiesContext
> = async (context, input) => {
  await context.transaction(async (tx) => {
    const row = await lockProxy(tx, input.id, context);
    const next = await saveSuspension(tx, row, { suspendedAt: null, suspensionReason: null });
    await auditSuspension(tx, row, next);
  });
  return null;
};
