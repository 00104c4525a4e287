import type { Tx } from '@talpa/service-kit/database/transaction';
import { notifyOfEnd } from '../proxy/notify-member.ts';
import { type ProxyRow, saveProxy, wakeWorker } from '../proxy/row.ts';
import { stillServes } from './leave.ts';
import { type LockedServer, saveServer } from './row.ts';

/** Hides a proxy of a locked server and wants nothing of it at the provider any more. An implicit server goes with its last one. */
export async function removeProxy(tx: Tx, locked: LockedServer, row: ProxyRow): Promise<ProxyRow> {
  const { server } = locked;
  const isLast = locked.proxies.every(({ id, removedAt }) => id === row.id || removedAt !== null);
  const removedAt = new Date();
  const goes = isLast && server.kind === 'implicit' && server.removedAt === null;
  if (goes && !(await stillServes(tx, locked)))
    await saveServer(tx, locked, { removedAt, generation: server.generation + 1 });
  await wakeWorker(tx, server.uuid);
  return hide(tx, locked, row, removedAt);
}

/** Removes a locked server with all of its proxies. @returns the proxies that were not removed before */
export async function removeServer(tx: Tx, locked: LockedServer): Promise<ProxyRow[]> {
  const removedAt = new Date();
  const { server } = locked;
  if (server.removedAt === null)
    await saveServer(tx, locked, { removedAt, generation: server.generation + 1 });
  const removed: ProxyRow[] = [];
  for (const row of locked.proxies.filter((one) => one.removedAt === null))
    removed.push(await hide(tx, locked, row, removedAt));
  await wakeWorker(tx, server.uuid);
  return removed;
}

/** Its names stay reserved until nothing of it is at the provider. */
async function hide(tx: Tx, locked: LockedServer, row: ProxyRow, removedAt: Date): Promise<ProxyRow> {
  const removed = await saveProxy(tx, {
    ...row,
    removedAt,
    generation: row.generation + 1,
    awaitedUntil: null,
  });
  // Its last snapshot still names its members, and whom it invites: their pages hear of it.
  const ended = await tx.sql<{ id: number; userId: number }[]>`
    with gone as (delete from members where proxy_id = ${row.id} returning *)
    select id, user_id from gone where joined_at is not null order by id`;
  for (const { id, userId } of ended) await notifyOfEnd(tx, row, userId, id);
  locked.proxies = locked.proxies.map((one) => (one.id === row.id ? { ...one, ...removed } : one));
  return removed;
}
