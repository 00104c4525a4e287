import type { Tx } from '@talpa/service-kit/database/transaction';
import { notifyOfEnd } from './notify-member.ts';
import { type ProxyRow, saveProxy, wakeWorker } from './row.ts';

/** Hides a locked row and wants nothing at the provider any more. Its names stay reserved until that is so. */
export async function removeProxy(tx: Tx, row: ProxyRow): Promise<ProxyRow> {
  const removed = await saveProxy(tx, {
    ...row,
    removedAt: new Date(),
    generation: row.generation + 1,
    awaitedUntil: null,
  });
  // Its last snapshot still names its members, and whom it invites: their pages hear of it.
  const ended = await tx.sql<{ id: number; userId: number }[]>`
    with gone as (delete from members where proxy_id = ${row.id} returning *)
    select id, user_id from gone where joined_at is not null order by id`;
  for (const { id, userId } of ended) await notifyOfEnd(tx, row, userId, id);
  await wakeWorker(tx, row.uuid);
  return removed;
}
