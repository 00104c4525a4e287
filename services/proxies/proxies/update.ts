import { isDeepStrictEqual } from 'node:util';
import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { changesBetween, refuseEditConflict } from '@talpa/service-kit/database/changes';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { refuseLoops, refuseNameWithPorts } from '../game-ports/target.ts';
import { hostnameFor, refuseReserved, reserveHostname } from '../proxy/address.ts';
import { auditedState, auditOf } from '../proxy/audited.ts';
import { columnsOf } from '../proxy/entries.ts';
import { findProxy, lockProxy } from '../proxy/find.ts';
import { originOf, refuseHttpsOnly } from '../proxy/origin.ts';
import { lags, saveProxy, wakeWorker } from '../proxy/row.ts';
import { stopAwaiting, watchSettled } from '../proxy/settled.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { publicProxyFor } from '../server/token-rights.ts';
import { refusal } from '../tunnels/refusal.ts';
import { withFreshProjections } from '../users/fresh.ts';

/**
 * Changes a proxy and waits for the provider where it is concerned. A refusal restores the old entries and
 * responds; when the provider is slow the old address goes on serving and the change is `pending`.
 */
export const updateProxy: Verb<Routes['PUT /api/tunnel-configs/:id'], ProxiesContext> = async (
  context,
  input,
) => {
  const { settings, actor } = context;
  const hostname = hostnameFor(input, settings);
  const proxy = await findProxy(context.reads, input.id, context);
  const { uuid, userId } = proxy;
  if (input.serverIP !== proxy.serverIp)
    await refuseLoops(context.reads, { ...proxy, serverIp: input.serverIP }, settings);
  const watch = await watchSettled(context, uuid);
  try {
    const save = async (tx: Tx) => {
      const row = await lockProxy(tx, input.id, context);
      refuseSuspended(row, actor);
      refuseEditConflict(input.expected, auditedState(row));
      await refuseNameWithPorts(tx.sql, row, input.serverIP);
      if (hostname !== row.hostname) {
        refuseReserved(hostname, settings);
        await reserveHostname(tx, hostname, row);
      }
      const edited = { ...row, ...columnsOf(input), hostname };
      refuseHttpsOnly(edited);
      const sameTunnel =
        hostname === row.hostname &&
        isDeepStrictEqual(originOf(edited), originOf(row)) &&
        row.status !== 'error';
      const saved = await saveProxy(tx, {
        ...edited,
        ...(sameTunnel
          ? {}
          : {
              generation: row.generation + 1,
              status: row.status === 'error' ? 'pending' : row.status,
              statusReason: null,
              restoring: false,
              awaitedUntil: new Date(Date.now() + settings.PROVISION_WAIT_MS),
            }),
      });
      if (!sameTunnel) await wakeWorker(tx, row.serverUuid, { urgent: true });
      await tx.audit({
        ...auditOf(saved),
        changes: changesBetween(auditedState(row), auditedState(saved)),
      });
      return saved;
    };
    const changed = await withFreshProjections(context, userId, () => context.transaction(save));
    if (!lags(changed)) return await publicProxyFor(context.reads, changed, actor);
    const { generation } = changed;
    await context.whileWaiting(watch.generation(generation, settings.PROVISION_WAIT_MS));
    const row = await stopAwaiting(context, uuid, generation);
    const refused = watch.refusalOf(generation);
    if (refused) throw refusal(refused, hostname);
    if (!row) throw new AppError('not_found');
    return await publicProxyFor(context.reads, row, actor);
  } finally {
    watch.close();
  }
};
