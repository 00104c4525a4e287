import { isDeepStrictEqual } from 'node:util';
import type { AppliedTunnel, InternalCalls, Outcome, Settled, StatusReason, Verb } from '@talpa/contracts';
import { releaseKey } from '@talpa/service-kit/database/idempotency';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxiesContext } from '../context.ts';
import { releaseDomains } from '../domains/row.ts';
import { releaseHostnames } from '../proxy/address.ts';
import { auditOf } from '../proxy/audited.ts';
import { enteredIn, withDefaults } from '../proxy/entries.ts';
import { originOf } from '../proxy/origin.ts';
import { removeProxy } from '../proxy/remove.ts';
import { lags, type ProxyRow, saveProxy, wakeWorker } from '../proxy/row.ts';
import { announceSettled } from '../proxy/settled.ts';
import { statusOf } from './health.ts';

type ReportedRow = ProxyRow & { readonly hasDomains: boolean };

/** Takes in what the worker reached; it counts only for the current generation. */
export const report: Verb<InternalCalls['proxies.report'], ProxiesContext> = async (context, input) => {
  const result = await context.transaction(async (tx) => {
    const [row] = await tx.sql<ReportedRow[]>`
      select *, exists (select 1 from domains where proxy_id = proxies.id) as has_domains
      from proxies where uuid = ${input.proxyId} for update`;
    if (!row || row.generation !== input.generation) return { counted: false, settled: null };
    return { counted: true, settled: await takeIn(tx, row, input.outcome) };
  });
  if (result.settled) announceSettled(context.nc, input.proxyId, result.settled);
  return { counted: result.counted };
};

/** @returns the result for the waiting caller; null while they have to wait longer */
async function takeIn(tx: Tx, row: ReportedRow, outcome: Outcome): Promise<Settled | null> {
  const { generation } = row;
  switch (outcome.kind) {
    case 'applied':
      // A worker of an earlier version knows no options: the sweep asks again, until a newer one has been there.
      if (!isDeepStrictEqual(outcome.applied.originOptions, originOf(row).originOptions)) return null;
      await markApplied(tx, row, outcome.applied);
      return { generation, refused: null };
    case 'removed':
      await Promise.all([
        releaseHostnames(tx, row, null),
        tx.sql`delete from proxies where id = ${row.id} and removed_at is not null`,
      ]);
      return { generation, refused: null };
    case 'refused':
      await markRefused(tx, row, outcome.reason);
      return { generation, refused: outcome.reason };
    case 'failing':
      // It may still succeed: the caller goes on waiting, the list shows why.
      if (row.statusReason !== outcome.reason) await saveProxy(tx, { ...row, statusReason: outcome.reason });
      return null;
    case 'dead_letter':
      if (row.status !== 'error' || row.statusReason !== outcome.reason)
        await saveProxy(tx, { ...row, status: 'error', statusReason: outcome.reason });
      return null;
  }
}

async function markApplied(tx: Tx, row: ReportedRow, applied: AppliedTunnel): Promise<void> {
  const sameTunnel = row.applied?.tunnelId === applied.tunnelId;
  // The resync has had it looked at, and all was as it should be.
  if (!lags(row) && row.status !== 'error' && isDeepStrictEqual(row.applied, applied)) return;
  await Promise.all([
    saveProxy(tx, {
      ...row,
      status: sameTunnel ? statusOf(row.tunnelHealth, applied) : 'inactive',
      tunnelHealth: sameTunnel ? row.tunnelHealth : 'inactive',
      statusReason: null,
      appliedGeneration: row.generation,
      applied,
      appliedEntries: enteredIn(row),
      awaitedUntil: null,
      restoring: false,
    }),
    releaseHostnames(tx, row, applied.hostname),
  ]);
  if (row.hasDomains) await releaseDomains(tx, row.uuid);
}

/** A refused create goes while its caller waits; a refused edit is undone; the rest stays as `error`. */
async function markRefused(tx: Tx, row: ProxyRow, reason: StatusReason): Promise<void> {
  const awaited = row.awaitedUntil !== null && row.awaitedUntil > new Date();
  if (row.removedAt) return;
  if (!lags(row) && row.status === 'error' && row.statusReason === reason) return;
  await tx.audit({ action: 'proxy.refuse', ...auditOf(row), changes: { statusReason: { to: reason } } });
  if (!row.applied && awaited) {
    await releaseKey(tx, row.uuid);
    await removeProxy(tx, row);
    return;
  }
  const { applied, appliedEntries } = row;
  if (lags(row) && applied && appliedEntries && reason !== 'tunnel_gone' && !row.restoring) {
    await saveProxy(tx, {
      ...row,
      ...withDefaults(appliedEntries),
      hostname: applied.hostname,
      incarnation: applied.incarnation,
      generation: row.generation + 1,
      statusReason: reason,
      awaitedUntil: null,
      restoring: true,
    });
    // The provider may have taken over half of it: let the worker bring back the rest.
    return wakeWorker(tx, row.uuid);
  }
  await saveProxy(tx, {
    ...row,
    status: 'error',
    statusReason: reason,
    // Nothing more to try until somebody changes something.
    appliedGeneration: row.generation,
    ...(reason === 'tunnel_gone' ? { applied: null, tunnelHealth: null } : {}),
    awaitedUntil: null,
    restoring: false,
  });
}
