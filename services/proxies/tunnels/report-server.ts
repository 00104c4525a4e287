import { isDeepStrictEqual } from 'node:util';
import type {
  AppliedProxy,
  AppliedTunnel,
  InternalCalls,
  Outcome,
  ServerReport,
  Settled,
  StatusReason,
  Verb,
} from '@talpa/contracts';
import { releaseKey } from '@talpa/service-kit/database/idempotency';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { releaseDomains } from '../domains/row.ts';
import { releaseHostnames } from '../proxy/address.ts';
import { auditOf } from '../proxy/audited.ts';
import { enteredIn, withDefaults } from '../proxy/entries.ts';
import { originOf } from '../proxy/origin.ts';
import { lags, type ProxyRow, saveProxy, wakeWorker } from '../proxy/row.ts';
import { announceSettled, ofServer } from '../proxy/settled.ts';
import { announceServer } from '../server/announce.ts';
import { joining } from '../server/join.ts';
import { leaveServer } from '../server/leave.ts';
import { removeProxy } from '../server/remove.ts';
import { type LockedProxy, type LockedServer, lockServers, saveServer } from '../server/row.ts';
import { statusOf } from './health.ts';

/** Takes in what the worker reached; it counts only for the current generations. */
export const reportServer: Verb<InternalCalls['proxies.reportServer'], ProxiesContext> = async (
  context,
  input,
) => ({ counted: await takeReport(context, input.serverId, () => input) });

/** What the waiting callers receive, by proxy, or as `ofServer` says. */
type Ends = Map<string, Settled>;

/**
 * @param reportOf what is reported of the server as it is now; null: nothing that counts
 * @returns whether all of it counted
 */
export async function takeReport(
  context: Pick<ProxiesContext, 'transaction' | 'nc'>,
  serverUuid: string,
  reportOf: (locked: LockedServer) => ServerReport | null,
): Promise<boolean> {
  const ends: Ends = new Map();
  const taken = await context.transaction(async (tx) => {
    ends.clear();
    const servers = await lockServers(
      tx,
      tx.sql`id in (
        select id from servers where uuid = ${serverUuid}
        union select moved_from from proxies
          where moved_from is not null and server_id = (select id from servers where uuid = ${serverUuid}))`,
    );
    const locked = servers.find(({ server }) => server.uuid === serverUuid);
    const report = locked && reportOf(locked);
    if (!report || locked.server.generation !== report.generation) return null;
    const { version } = locked.server;
    const counted = await takeIn(tx, Object.assign(locked, { left: servers }), report, ends);
    return { counted, locked, isNew: locked.server.version !== version };
  });
  for (const [what, settled] of ends) announceSettled(context.nc, what, settled);
  if (taken?.isNew) announceServer(context.nc, taken.locked);
  return taken?.counted ?? false;
}

/** A server with those that still serve proxies of it. */
interface Reported extends LockedServer {
  readonly left: readonly LockedServer[];
}

/** The server that a proxy has just moved from, unless it is gone. */
const leftBy = ({ left }: Reported, { movedFrom }: ProxyRow) =>
  left.find(({ server }) => server.id === movedFrom);

async function takeIn(
  tx: Tx,
  locked: Reported,
  { tunnel, proxies }: ServerReport,
  ends: Ends,
): Promise<boolean> {
  const { generation } = locked.server;
  if (tunnel)
    ends.set(ofServer(locked.server.uuid), {
      generation,
      refused: tunnel.kind === 'refused' ? tunnel.reason : null,
    });
  if (tunnel?.kind === 'refused') {
    await refuseTunnel(tx, locked, tunnel.reason, ends);
    return true;
  }
  if (tunnel?.kind === 'applied') await markTunnel(tx, locked, tunnel.applied);
  let counted = true;
  for (const { proxyId, generation, outcome } of proxies) {
    const row = locked.proxies.find(({ uuid }) => uuid === proxyId);
    if (row?.generation === generation) await takeInOf(tx, locked, row, outcome, ends);
    else counted = false;
  }
  // With proxies it goes with the last of them.
  if (tunnel?.kind === 'removed' && locked.proxies.length === 0)
    await tx.sql`delete from servers where id = ${locked.server.id} and removed_at is not null`;
  return counted;
}

/** Takes in how a run has ended for one proxy. A caller who has to wait longer receives nothing. */
async function takeInOf(
  tx: Tx,
  locked: Reported,
  row: LockedProxy,
  outcome: Outcome,
  ends: Ends,
): Promise<void> {
  const { generation, uuid } = row;
  const left = leftBy(locked, row);
  switch (outcome.kind) {
    case 'applied':
      // A worker of an earlier version knows no options and no pause: the sweep asks again, until a newer one has been there.
      if (!isDeepStrictEqual(outcome.applied.originOptions, originOf(row).originOptions)) return;
      if ((outcome.applied.paused ?? false) !== (row.pausedAt !== null)) return;
      await markApplied(tx, locked, row, outcome.applied);
      ends.set(uuid, { generation, refused: null });
      return;
    case 'removed':
      await Promise.all([
        releaseHostnames(tx, row, null),
        tx.sql`delete from proxies where id = ${row.id} and removed_at is not null`,
      ]);
      ends.set(uuid, { generation, refused: null });
      if (left) await leaveServer(tx, left, row.id);
      return;
    case 'refused':
      await markRefused(tx, locked, row, outcome.reason);
      ends.set(uuid, { generation, refused: outcome.reason });
      return;
    case 'failing':
      // It may still succeed: the caller goes on waiting, the list shows why.
      if (row.statusReason !== outcome.reason) await saveProxy(tx, { ...row, statusReason: outcome.reason });
      return;
    case 'dead_letter':
      if (row.status !== 'error' || row.statusReason !== outcome.reason)
        await saveProxy(tx, { ...row, status: 'error', statusReason: outcome.reason });
      return;
  }
}

async function markTunnel(tx: Tx, locked: LockedServer, applied: AppliedTunnel): Promise<void> {
  const { server } = locked;
  if (!lags(server) && isDeepStrictEqual(server.applied, applied)) return;
  const isSame = server.applied?.tunnelId === applied.tunnelId;
  await saveServer(tx, locked, {
    applied,
    appliedGeneration: server.generation,
    tunnelHealth: isSame ? server.tunnelHealth : 'inactive',
  });
}

/**
 * The old tunnel goes on where a new one is refused. A tunnel that is gone, or was never made, is that for all of its proxies: making another
 * is the owner's decision.
 */
async function refuseTunnel(tx: Tx, locked: Reported, reason: StatusReason, ends: Ends): Promise<void> {
  const { server } = locked;
  const { applied, generation } = server;
  if (server.removedAt) return;
  const proxies = locked.proxies.filter(({ removedAt }) => removedAt === null);
  for (const { uuid, generation } of proxies) ends.set(uuid, { generation, refused: reason });
  if (applied && applied.incarnation !== server.incarnation && reason !== 'tunnel_gone') {
    const { incarnation } = applied;
    await saveServer(tx, locked, { incarnation, generation: generation + 1 });
    for (const row of proxies) {
      await auditRefusal(tx, row, reason);
      const restored = {
        incarnation,
        generation: row.generation + 1,
        statusReason: reason,
        awaitedUntil: null,
      };
      await saveProxy(tx, { ...row, ...restored });
    }
    return wakeWorker(tx, server.uuid);
  }
  const gone = reason === 'tunnel_gone' ? { applied: null, tunnelHealth: null } : {};
  await saveServer(tx, locked, { ...gone, appliedGeneration: generation });
  for (const row of proxies) await markRefused(tx, locked, row, reason);
}

async function markApplied(tx: Tx, locked: Reported, row: LockedProxy, applied: AppliedProxy): Promise<void> {
  const { server } = locked;
  // The resync has had it looked at, and all was as it should be.
  if (!lags(row) && row.status !== 'error' && isDeepStrictEqual(row.applied, applied)) return;
  // It was made for the proxy that has got there; its owner has given it a name.
  const isMadeForIt = row.movedFrom !== null && locked.proxies.every(({ id }) => id === row.id);
  if (isMadeForIt && server.kind === 'implicit') await saveServer(tx, locked, { kind: 'machine' });
  await Promise.all([
    saveProxy(tx, {
      ...row,
      status: statusOf(server.tunnelHealth, applied),
      tunnelHealth: server.tunnelHealth,
      statusReason: null,
      appliedGeneration: row.generation,
      applied,
      appliedEntries: enteredIn(row),
      awaitedUntil: null,
      restoring: false,
      movedFrom: null,
    }),
    releaseHostnames(tx, row, applied.hostname),
  ]);
  if (row.hasDomains) await releaseDomains(tx, row.uuid);
  const left = leftBy(locked, row);
  if (left) await leaveServer(tx, left, row.id);
}

const auditRefusal = (tx: Tx, row: ProxyRow, reason: StatusReason) =>
  tx.audit({ action: 'proxy.refuse', ...auditOf(row), changes: { statusReason: { to: reason } } });

/** A refused create goes while its caller waits; a refused edit is undone; the rest stays as `error`. */
async function markRefused(tx: Tx, locked: Reported, row: LockedProxy, reason: StatusReason): Promise<void> {
  const awaited = row.awaitedUntil !== null && row.awaitedUntil > new Date();
  if (row.removedAt) return;
  if (!lags(row) && row.status === 'error' && row.statusReason === reason) return;
  await auditRefusal(tx, row, reason);
  // One that had a tunnel, or was given up before, is more than a create.
  if (row.appliedGeneration === 0 && awaited) {
    await releaseKey(tx, row.uuid);
    await removeProxy(tx, locked, row);
    return;
  }
  const { applied, appliedEntries } = row;
  const left = leftBy(locked, row);
  const back = left?.server.removedAt === null ? left.server : null;
  if (lags(row) && applied && appliedEntries && (back || reason !== 'tunnel_gone') && !row.restoring) {
    // Its rule goes here, and a server that was made for it; a tunnel that is gone is not made anew for that.
    if (back) await leaveServer(tx, locked, row.id);
    await saveProxy(tx, {
      ...row,
      ...withDefaults(appliedEntries),
      hostname: applied.hostname,
      generation: row.generation + 1,
      statusReason: reason,
      awaitedUntil: null,
      restoring: true,
      ...(back && { ...joining(back), movedFrom: null }),
    });
    if (back) await wakeWorker(tx, back.uuid);
    // The provider may have taken over half of it: let the worker bring back the rest.
    return wakeWorker(tx, row.serverUuid);
  }
  // The tunnel that served it is gone, and the new one refuses it. Its records may lead to either: without memory the worker removes them.
  const { tunnelId } = locked.server.applied ?? {};
  const isLeftOver = tunnelId !== undefined && applied !== null && applied.tunnelId !== tunnelId;
  await saveProxy(tx, {
    ...row,
    status: 'error',
    statusReason: reason,
    // Nothing more to try until somebody changes something.
    ...(isLeftOver
      ? { generation: row.generation + 1, movedFrom: null }
      : { appliedGeneration: row.generation }),
    ...(isLeftOver || reason === 'tunnel_gone' ? { applied: null, tunnelHealth: null } : {}),
    awaitedUntil: null,
    restoring: false,
  });
  if (isLeftOver) await wakeWorker(tx, row.serverUuid);
}
