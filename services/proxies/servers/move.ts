import { randomUUID } from 'node:crypto';
import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { firstState } from '@talpa/service-kit/database/changes';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { refuseLimitedKey } from '../proxies/limited-key.ts';
import { auditOf } from '../proxy/audited.ts';
import { allowed, findProxy } from '../proxy/find.ts';
import { lags, saveProxy, wakeWorker } from '../proxy/row.ts';
import { stopAwaiting, watchSettled } from '../proxy/settled.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { announceServer } from '../server/announce.ts';
import { auditOfServer } from '../server/audited.ts';
import { joining, namesOf, refuseFull, refuseJoin } from '../server/join.ts';
import { leaveServer } from '../server/leave.ts';
import { lockServers, type ServerRow, saveServer } from '../server/row.ts';
import { publicProxyFor } from '../server/token-rights.ts';
import { refuseWhileUpgrading } from '../server/upgrade.ts';
import { refusal } from '../tunnels/refusal.ts';
import { withFreshProjections } from '../users/fresh.ts';
import { takeServerQuota } from '../users/limits.ts';

/**
 * Moves a proxy to another server of its owner, or to a new one, and waits for its tunnel. The server it leaves goes on serving it until the
 * new one does; a refusal takes it back, and the new server goes.
 */
export const moveProxy: Verb<Routes['PUT /api/tunnel-configs/:id/server'], ProxiesContext> = async (
  context,
  { id, serverId, name },
) => {
  const { settings, actor, reads } = context;
  if (name !== undefined) refuseLimitedKey(actor);
  const { uuid, userId, hostname } = await findProxy(reads, id, context);
  const watch = await watchSettled(context, uuid);
  try {
    const move = async (tx: Tx) => {
      const targetId = serverId ?? (await addServer(tx, userId, name));
      const locked = await lockServers(
        tx,
        tx.sql`id = ${targetId} or id = (select server_id from proxies where id = ${id})`,
      );
      const from = locked.find(({ proxies }) => proxies.some((one) => one.id === id));
      const found = from?.proxies.find((one) => one.id === id && one.removedAt === null);
      const row = await allowed(tx.sql, found, context);
      refuseSuspended(row, actor);
      if (!from || from.server.id === targetId) return { saved: row, touched: [] };
      const target = locked.find(({ server }) => server.id === targetId);
      const to = await refuseJoin(tx, target, row.userId, actor);
      if (lags(row) || row.movedFrom !== null) throw new AppError('proxy_pending');
      await refuseFull(tx, to, await namesOf(tx.sql, [id]));
      if (name !== undefined) {
        // It has its name for good when the proxy has got there: see `report-server.ts`.
        if (!row.applied) await saveServer(tx, to, { kind: 'machine' });
        await tx.audit({
          ...auditOfServer(to.server),
          action: 'server.create',
          changes: firstState({ name }),
        });
      }
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

/** @returns the id of a new server, which until a proxy has got there goes when that goes */
async function addServer(tx: Tx, userId: number, name = ''): Promise<number> {
  await refuseWhileUpgrading(tx);
  await takeServerQuota(tx, userId);
  const [server] = await tx.sql<ServerRow[]>`
    insert into servers (uuid, user_id, name, kind) values (${randomUUID()}, ${userId}, ${name}, 'implicit') returning *`;
  if (!server) throw new AppError('internal');
  return server.id;
}
