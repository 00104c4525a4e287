import { includesRole } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { allowed, type ProxyCaller } from '../proxy/find.ts';
import type { ProxyRow } from '../proxy/row.ts';
import { type Reach, reachOfOne } from './roles.ts';
import { type LockedServer, lockServers, type ServerRow } from './row.ts';

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

/** The same, for what concerns all proxies of the server: at each the caller must be what the call takes. */
export async function lockForAll(tx: Tx, id: number, caller: ProxyCaller): ReturnType<typeof lockWithServer> {
  const found = await lockWithServer(tx, id, { ...caller, role: 'view' });
  await refuseLess(tx.sql, found.locked.server, caller);
  return found;
}

/** @throws AppError `not_found`: they see none of its proxies; `role_missing` */
export async function refuseLess(
  sql: AnySql,
  server: Pick<ServerRow, 'id' | 'userId'> | undefined,
  caller: ProxyCaller,
): Promise<Reach> {
  const reach = await reachOfOne(sql, server, caller.actor);
  const needed = caller.role ?? 'owner';
  // To see one of its proxies is to see the server.
  if (needed !== 'view' && !(reach.role && includesRole(reach.role, needed)))
    throw new AppError('role_missing');
  return reach;
}

/** A server that the caller may do the call with. @throws as `refuseLess` */
export async function findServer(
  sql: AnySql,
  id: number,
  caller: ProxyCaller,
): Promise<{ readonly row: ServerRow; readonly reach: Reach }> {
  const [row] = await sql<ServerRow[]>`select * from servers where id = ${id} and removed_at is null`;
  const reach = await refuseLess(sql, row, caller);
  if (!row) throw new AppError('not_found');
  return { row, reach };
}

/** The same, with its proxies, held until the transaction ends. */
export async function lockServer(tx: Tx, id: number, caller: ProxyCaller): Promise<LockedServer> {
  const [locked] = await lockServers(tx, tx.sql`id = ${id} and removed_at is null`);
  await refuseLess(tx.sql, locked?.server, caller);
  if (!locked) throw new AppError('not_found');
  return locked;
}
