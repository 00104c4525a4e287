import {
  type Actor,
  administersProxies,
  mayKeyReach,
  ownRoleOn,
  type ProxyRole,
  proxyRoles,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { isCurrent } from '../proxy/membership.ts';
import type { ServerRow } from './row.ts';

type Whose = Pick<ServerRow, 'id' | 'userId'>;

/** What somebody is to a server. */
export interface Reach {
  /** The lowest of their roles at its proxies; null: there is one that they may not see. */
  readonly role: ProxyRole | null;
  /** Those that they may see, by id. */
  readonly proxyIds: readonly number[];
  /** What they may see is there for them. */
  readonly isSeen: boolean;
}

const lowest = (roles: readonly (ProxyRole | null)[]): ProxyRole | null =>
  roles.includes(null) ? null : (proxyRoles.find((role) => roles.includes(role)) ?? null);

/** What somebody is to servers now, by id. Whoever has the token is all proxies of a server to visitors: it takes a role at each. */
export async function reachOf(
  sql: AnySql,
  servers: readonly Whose[],
  actor: Actor,
): Promise<ReadonlyMap<number, Reach>> {
  const ids = servers.map(({ id }) => id);
  const proxies = await sql<{ id: number; serverId: number; userId: number }[]>`
    select id, server_id, user_id from proxies
    where server_id in ${sql([0, ...ids])} and removed_at is null order by id`;
  const others = proxies.filter((proxy) => !ownRoleOn(proxy, actor) && mayKeyReach(proxy.id, actor));
  const memberships = await sql<{ proxyId: number; role: ProxyRole }[]>`
    select proxy_id, role from members
    where proxy_id in ${sql([0, ...others.map(({ id }) => id)])} and user_id = ${actor.userId}
      and joined_at is not null and ${isCurrent(sql)}`;
  const roles = new Map(memberships.map(({ proxyId, role }) => [proxyId, role]));
  const reach = (server: Whose): Reach => {
    const own = proxies
      .filter(({ serverId }) => serverId === server.id)
      .map((proxy) => ({ id: proxy.id, role: ownRoleOn(proxy, actor) ?? roles.get(proxy.id) ?? null }));
    // What is empty belongs to its owner alone, and to no key that is limited to proxies.
    const isOwn = !actor.apiKey?.proxyIds && (server.userId === actor.userId || administersProxies(actor));
    const proxyIds = own.filter(({ role }) => role).map(({ id }) => id);
    return {
      role: isOwn ? 'owner' : lowest(own.map(({ role }) => role)),
      proxyIds,
      isSeen: isOwn || proxyIds.length > 0,
    };
  };
  return new Map(servers.map((server) => [server.id, reach(server)]));
}

/** The same of one server. @throws AppError `not_found`: it must look as if it did not exist */
export async function reachOfOne(sql: AnySql, server: Whose | undefined, actor: Actor): Promise<Reach> {
  const reach = server && (await reachOf(sql, [server], actor)).get(server.id);
  if (!reach?.isSeen) throw new AppError('not_found');
  return reach;
}
