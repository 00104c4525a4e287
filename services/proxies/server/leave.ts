import type { Tx } from '@talpa/service-kit/database/transaction';
import { wakeWorker } from '../proxy/row.ts';
import { type LockedServer, saveServer } from './row.ts';

/** Whether a locked server still serves a proxy that has moved. */
export async function stillServes({ sql }: Tx, { server }: LockedServer): Promise<boolean> {
  const [row] = await sql`select 1 from proxies where moved_from = ${server.id} limit 1`;
  return row !== undefined;
}

/**
 * A proxy that has moved is not served by a locked server any more: its rule goes, and an implicit server that has no other proxy.
 * @param movedId the proxy's id; it is not one of the server's any more
 */
export async function leaveServer(tx: Tx, locked: LockedServer, movedId: number): Promise<void> {
  const { server } = locked;
  locked.proxies = locked.proxies.filter(({ id }) => id !== movedId);
  if (server.removedAt) return;
  const isEmpty = locked.proxies.every(({ removedAt }) => removedAt !== null);
  const goes = isEmpty && server.kind === 'implicit' && !(await stillServes(tx, locked));
  // Where there is no tunnel there is no rule.
  if (!goes && !server.applied) return;
  await saveServer(tx, locked, {
    generation: server.generation + 1,
    ...(goes && { removedAt: new Date() }),
  });
  await wakeWorker(tx, server.uuid);
}
