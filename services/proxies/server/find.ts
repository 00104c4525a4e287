import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { allowed, type ProxyCaller } from '../proxy/find.ts';
import type { ProxyRow } from '../proxy/row.ts';
import { type LockedServer, lockServers } from './row.ts';

/**
 * A proxy that the caller may do the call with, with its server and siblings, held until the transaction ends.
 * @throws AppError as `findProxy`
 */
export async function lockWithServer(
  tx: Tx,
  id: number,
  caller: ProxyCaller,
): Promise<{ readonly locked: LockedServer; readonly row: ProxyRow }> {
  const [locked] = await lockServers(tx, tx.sql`id = (select server_id from proxies where id = ${id})`);
  const found = locked?.proxies.find((proxy) => proxy.id === id && proxy.removedAt === null);
  const row = await allowed(tx.sql, found, caller);
  if (!locked) throw new AppError('not_found');
  return { locked, row };
}
