import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { findProxy } from '../proxy/find.ts';
import { lags, type ProxyRow, saveProxy, wakeWorker } from '../proxy/row.ts';
import { ofServer, stopAwaiting, watchSettled } from '../proxy/settled.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { announceServer } from '../server/announce.ts';
import { auditOfServer } from '../server/audited.ts';
import { findServer, lockForAll, lockServer } from '../server/find.ts';
import { stillServes } from '../server/leave.ts';
import { type LockedServer, saveServer } from '../server/row.ts';
import { refuseSuspendedServer } from '../server/suspension.ts';
import { withFreshProjections } from '../users/fresh.ts';
import { refusal } from './refusal.ts';

/** Replaces a proxy's tunnel by a new one: new id, new token; the old connector is cut off. */
export const recreateTunnel: Verb<Routes['POST /api/recreate-tunnel/:id'], ProxiesContext> = async (
  context,
  input,
) => {
  const { settings, actor } = context;
  const { uuid, userId } = await findProxy(context.reads, input.id, { ...context, role: 'view' });
  const watch = await watchSettled(context, uuid);
  try {
    const replace = async (tx: Tx) => {
      const { locked, row } = await lockForAll(tx, input.id, context);
      refuseSuspended(row, actor);
      // What has failed for good may be made anew though it lags.
      if ((lags(row) || lags(locked.server)) && row.status !== 'error') throw new AppError('proxy_pending');
      if (await stillServes(tx, locked)) throw new AppError('proxy_pending');
      await tx.audit(auditOf(row));
      return { locked, row: await replaceTunnel(tx, locked, row, settings.PROVISION_WAIT_MS) };
    };
    const { locked, row: changed } = await withFreshProjections(context, userId, () =>
      context.transaction(replace),
    );
    announceServer(context.nc, locked);
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

/** The same of a server, whether it has proxies or not. */
export const recreateServer: Verb<Routes['POST /api/servers/:id/recreate'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { settings, actor } = context;
  const { uuid, userId } = (await findServer(context.reads, id, context)).row;
  const watch = await watchSettled(context, ofServer(uuid));
  try {
    const replace = async (tx: Tx) => {
      const locked = await lockServer(tx, id, context);
      const { server, proxies } = locked;
      refuseSuspendedServer(locked, actor);
      const isUnderWay = lags(server) || proxies.some((row) => lags(row) && row.status !== 'error');
      if ((isUnderWay && server.applied) || (await stillServes(tx, locked)))
        throw new AppError('proxy_pending');
      await tx.audit(auditOfServer(server));
      await replaceTunnel(tx, locked, null, settings.PROVISION_WAIT_MS);
      return locked;
    };
    const locked = await withFreshProjections(context, userId, () => context.transaction(replace));
    announceServer(context.nc, locked);
    const { generation } = locked.server;
    const settled = await context.whileWaiting(watch.generation(generation, settings.PROVISION_WAIT_MS));
    const refused = watch.refusalOf(generation);
    if (refused) throw refusal(refused, '');
    // It goes on being replaced; what there is now is not the new tunnel's status.
    if (!settled) throw new AppError('deadline_exceeded');
    const { row } = await findServer(context.reads, id, context);
    return { tunnelId: row.applied?.tunnelId ?? null, status: 'inactive' };
  } finally {
    watch.close();
  }
};

/**
 * Wants a new tunnel for a locked server: every proxy's names are to lead there. Nobody has its token yet.
 * @param awaited the proxy whose caller waits, for so many ms; null: none does
 * @returns that one
 */
async function replaceTunnel<Awaited extends ProxyRow | null>(
  tx: Tx,
  locked: LockedServer,
  awaited: Awaited,
  waitMs: number,
): Promise<Awaited> {
  const { generation, lastIncarnation } = locked.server;
  const incarnation = lastIncarnation + 1;
  await saveServer(tx, locked, {
    ...{ incarnation, lastIncarnation: incarnation, generation: generation + 1 },
    tokenSharedAt: null,
  });
  let replaced = awaited;
  for (const row of locked.proxies.filter(({ removedAt }) => removedAt === null)) {
    const isAwaited = row.id === awaited?.id;
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
    if (isAwaited) replaced = saved as Awaited;
  }
  await wakeWorker(tx, locked.server.uuid, { urgent: true });
  return replaced;
}
