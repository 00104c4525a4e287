import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { allowed, findProxy } from '../proxy/find.ts';
import { lags, saveProxy, wakeWorker } from '../proxy/row.ts';
import { stopAwaiting, watchSettled } from '../proxy/settled.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { announceServer } from '../server/announce.ts';
import { joining, namesOf, refuseFull, refuseJoin } from '../server/join.ts';
import { leaveServer } from '../server/leave.ts';
import { lockServers } from '../server/row.ts';
import { publicProxyFor } from '../server/token-rights.ts';
import { refusal } from '../tunnels/refusal.ts';
import { withFreshProjections } from '../users/fresh.ts';

/**
 * Moves a proxy to another server of its owner and waits for its tunnel. The server it leaves goes on serving it until the new one does; a
 * refusal takes it back.
 */
export const moveProxy: Verb<Routes['PUT /api/tunnel-configs/:id/server'], ProxiesContext> = async (
  context,
  { id, serverId },
) => {
  const { settings, actor, reads } = context;
  const { uuid, userId, hostname } = await findProxy(reads, id, context);
  const watch = await watchSettled(context, uuid);
  try {
    const move = async (tx: Tx) => {
      const locked = await lockServers(
        tx,
        tx.sql`id = ${serverId} or id = (select server_id from proxies where id = ${id})`,
      );
      const from = locked.find(({ proxies }) => proxies.some((one) => one.id === id));
      const found = from?.proxies.find((one) => one.id === id && one.removedAt === null);
      const row = await allowed(tx.sql, found, context);
      refuseSuspended(row, actor);
      if (!from || from.server.id === serverId) return { saved: row, touched: [] };
      const target = locked.find(({ server }) => server.id === serverId);
      const to = await refuseJoin(tx, target, row.userId, actor);
      if (lags(row) || row.movedFrom !== null) throw new AppError('proxy_pending');
      await refuseFull(tx, to, await namesOf(tx.sql, [id]));
      // Nothing of it is served where it has no tunnel.
      if (!row.applied) await leaveServer(tx, from, id);
      const saved = await saveProxy(tx, {
        ...row,
        ...joining(to.server),
        movedFrom: row.applied && from.server.id,
        generation: row.generation + 1,
        status: row.status === 'error' ? 'pending' : row.status,
        statusReason: null,
        restoring: false,
        awaitedUntil: new Date(Date.now() + settings.PROVISION_WAIT_MS),
      });
      await wakeWorker(tx, to.server.uuid, { urgent: true });
      await tx.audit({
        ...auditOf(saved),
        changes: { server: { from: from.server.name, to: to.server.name } },
      });
      return { saved, touched: [from, to] };
    };
    const { saved, touched } = await withFreshProjections(context, userId, () => context.transaction(move));
    for (const locked of touched) announceServer(context.nc, locked);
    if (!lags(saved)) return await publicProxyFor(reads, saved, actor);
    const { generation } = saved;
    await context.whileWaiting(watch.generation(generation, settings.PROVISION_WAIT_MS));
    const row = await stopAwaiting(context, uuid, generation);
    const refused = watch.refusalOf(generation);
    if (refused) throw refusal(refused, hostname);
    if (!row) throw new AppError('not_found');
    return await publicProxyFor(reads, row, actor);
  } finally {
    watch.close();
  }
};
