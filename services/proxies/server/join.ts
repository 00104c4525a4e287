import { type Actor, mostNamesPerServer } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { lags } from '../proxy/row.ts';
import { reachOf } from './roles.ts';
import type { LockedServer, ServerRow } from './row.ts';
import { refuseWhileUpgrading } from './upgrade.ts';

/**
 * Refuses a server that a proxy of a user may not join.
 * @param locked undefined: there is none
 * @throws AppError `server_not_found`: it is not the user's, or not for the caller; `server_token_shared`, `no_tunnel`, `upgrade_running`
 */
export async function refuseJoin(
  tx: Tx,
  locked: LockedServer | undefined,
  userId: number,
  actor: Actor,
): Promise<LockedServer> {
  await refuseWhileUpgrading(tx);
  const isOwners = locked?.server.userId === userId && locked.server.removedAt === null;
  const reach = isOwners ? await reachOf(tx.sql, [locked.server], actor) : null;
  if (!locked || reach?.get(locked.server.id)?.role !== 'owner') throw new AppError('server_not_found');
  const { server } = locked;
  if (server.tokenSharedAt) throw new AppError('server_token_shared');
  // Making another one is its owner's decision.
  if (!server.applied && !lags(server)) throw new AppError('no_tunnel');
  return locked;
}

/** How many names lead to proxies, or are to. */
export async function namesOf(sql: AnySql, proxyIds: readonly number[]): Promise<number> {
  const [domains] = await sql<{ count: number }[]>`
    select count(*) as count from domains where proxy_id in ${sql([0, ...proxyIds])} and removed_at is null`;
  return proxyIds.length + (domains?.count ?? 0);
}

/** Refuses more names than one tunnel may have. @param added so many more @throws AppError `server_full` */
export async function refuseFull({ sql }: Tx, { proxies }: LockedServer, added: number): Promise<void> {
  const present = proxies.filter(({ removedAt }) => removedAt === null).map(({ id }) => id);
  if ((await namesOf(sql, present)) + added > mostNamesPerServer)
    throw new AppError('server_full', { params: { limit: mostNamesPerServer } });
}

/** What a proxy gets of the server that it joins. */
export const joining = ({ id, uuid, incarnation, lastIncarnation }: ServerRow) => ({
  serverId: id,
  serverUuid: uuid,
  incarnation,
  lastIncarnation,
});
