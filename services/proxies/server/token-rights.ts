import { type Actor, includesRole, type ProxyConfig } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { findMembership } from '../proxy/find.ts';
import { type ProxyRow, publicProxy } from '../proxy/row.ts';
import { reachOf } from './roles.ts';

/** Proxies as the API shows them to somebody, and whether they may read the token of each. */
export async function withTokenRights(
  sql: AnySql,
  proxies: ProxyConfig[],
  actor: Actor,
): Promise<ProxyConfig[]> {
  // Owners and administrators may.
  if (!actor.apiKey?.proxyIds && proxies.every(({ membership }) => membership === null)) return proxies;
  const servers = proxies.map(({ serverId, userId }) => ({ id: serverId, userId }));
  const reach = await reachOf(sql, servers, actor);
  return proxies.map((proxy) => {
    const role = reach.get(proxy.serverId)?.role ?? null;
    return { ...proxy, mayReadToken: role !== null && includesRole(role, 'operate') };
  });
}

/** A proxy as the API shows it to somebody who may see it. */
export async function publicProxyFor(sql: AnySql, row: ProxyRow, actor: Actor): Promise<ProxyConfig> {
  const proxy = publicProxy(row, await findMembership(sql, row, actor));
  const [shown = proxy] = await withTokenRights(sql, [proxy], actor);
  return shown;
}
