import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { findProxy } from '../proxy/find.ts';
import { lags, type ProxyRow, saveProxy, wakeWorker } from '../proxy/row.ts';
import { stopAwaiting, watchSettled } from '../proxy/settled.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { lockWithServer } from '../server/find.ts';
import { type LockedServer, saveServer } from '../server/row.ts';
import { withFreshProjections } from '../users/fresh.ts';
import { refusal } from './refusal.ts';

/** Replaces a proxy's tunnel by a new one: new id, new token; the old connector is cut off. */
export const recreateTunnel: Verb<Routes['POST /api/recreate-tunnel/:id'], ProxiesContext> = async (
  context,
  input,
) => {
  const { settings, actor } = context;
  const { uuid, userId } = await findProxy(context.reads, input.id, context);
  const watch = await watchSettled(context, uuid);
  try {
    const replace = async (tx: Tx) => {
      const { locked, row } = await lockWithServer(tx, input.id, context);
      refuseSuspended(row, actor);
      // What has failed for good may be made anew though it lags.
      if ((lags(row) || lags(locked.server)) && row.status !== 'error') throw new AppError('proxy_pending');
      await tx.audit(auditOf(row));
      const replaced = await replaceTunnel(tx, locked, row, settings.PROVISION_WAIT_MS);
      await wakeWorker(tx, row.serverUuid, { urgent: true });
      return replaced;
    };
    const changed = await withFreshProjections(context, userId, () => context.transaction(replace));
    const { generation } = changed;
    const settled = await context.whileWaiting(watch.generation(generation, settings.PROVISION_WAIT_MS));
    const row = await stopAwaiting(context, uuid, generation);
    const refused = watch.refusalOf(generation);
    if (refused) throw refusal(refused, changed.hostname);
    if (!row) throw new AppError('not_found');
    // It goes on being replaced; what there is now is not the new tunnel's status.
    if (!settled) throw new AppError('deadline_exceeded');
    return { tunnelId: row.applied?.tunnelId ?? null, status: 'inactive' };
  } finally {
    watch.close();
  }
};

/**
 * Wants a new tunnel for a locked server: every proxy's names are to lead there.
 * @param awaited the proxy whose caller waits, for so many ms
 * @returns that one
 */
async function replaceTunnel(
  tx: Tx,
  locked: LockedServer,
  awaited: ProxyRow,
  waitMs: number,
): Promise<ProxyRow> {
  const { generation, lastIncarnation } = locked.server;
  const incarnation = lastIncarnation + 1;
  await saveServer(tx, locked, { incarnation, lastIncarnation: incarnation, generation: generation + 1 });
  let replaced = awaited;
  for (const row of locked.proxies.filter(({ removedAt }) => removedAt === null)) {
    const isAwaited = row.id === awaited.id;
    const saved = await saveProxy(tx, {
      ...row,
      incarnation,
      lastIncarnation: incarnation,
      generation: row.generation + 1,
      status: row.applied ? row.status : 'pending',
      statusReason: null,
      restoring: false,
      awaitedUntil: isAwaited ? new Date(Date.now() + waitMs) : row.awaitedUntil,
    });
    if (isAwaited) replaced = saved;
  }
  return replaced;
}
