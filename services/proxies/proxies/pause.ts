import type { Routes, Verb } from '@talpa/contracts';
import { changesBetween, refuseEditConflict } from '@talpa/service-kit/database/changes';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { lockProxy } from '../proxy/find.ts';
import { type ProxyRow, saveProxy } from '../proxy/row.ts';
import { saveTurned } from '../proxy/save-turned.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { publicProxyFor } from '../server/token-rights.ts';

/** Shows visitors a message instead of the panel. Another message leaves the date; the same one changes nothing. */
export const pauseProxy: Verb<Routes['PUT /api/tunnel-configs/:id/pause'], ProxiesContext> = async (
  context,
  input,
) => {
  const saved = await context.transaction(async (tx) => {
    const row = await lockProxy(tx, input.id, context);
    refuseSuspended(row, context.actor);
    refuseEditConflict(input.expected, { message: row.pauseMessage });
    return changePause(tx, row, input.message);
  });
  return publicProxyFor(context.reads, saved, context.actor);
};

/** Lets visitors through again. */
export const resumeProxy: Verb<Routes['DELETE /api/tunnel-configs/:id/pause'], ProxiesContext> = async (
  context,
  input,
) => {
  await context.transaction(async (tx) => {
    const row = await lockProxy(tx, input.id, context);
    refuseSuspended(row, context.actor);
    await changePause(tx, row, null);
  });
  return null;
};

/** @param message null: it is not to be paused. The edge takes both from the row, and needs the provider for neither. */
async function changePause(tx: Tx, row: ProxyRow, message: string | null): Promise<ProxyRow> {
  if (message === row.pauseMessage) return row;
  const pausedAt = message === null ? null : (row.pausedAt ?? new Date());
  const turns = (pausedAt === null) !== (row.pausedAt === null);
  const saved = await (turns ? saveTurned : saveProxy)(tx, { ...row, pausedAt, pauseMessage: message });
  await tx.audit({
    ...auditOf(saved),
    changes: changesBetween({ message: row.pauseMessage }, { message }),
  });
  return saved;
}
