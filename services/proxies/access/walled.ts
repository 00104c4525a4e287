import { type Actor, ownRoleOn } from '@talpa/contracts';
import { publicUrl } from '@talpa/contracts/subdomain';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { findMembership } from '../proxy/find.ts';
import type { ProxyRow } from '../proxy/row.ts';
import type { ProxiesSettings } from '../settings.ts';
import { readPolicy } from './row.ts';

/** The proxy that a host name leads to. */
export async function findWalled(sql: AnySql, host: string): Promise<ProxyRow | undefined> {
  const [row] = await sql<ProxyRow[]>`select * from proxies where ${atHost(sql, host)}`;
  return row;
}

/** As `findWalled`; nothing takes the name from it, nor a member, until the transaction ends. */
export async function lockWalled(sql: AnySql, host: string): Promise<ProxyRow | undefined> {
  const [row] = await sql<ProxyRow[]>`select * from proxies where ${atHost(sql, host)} for share`;
  return row;
}

const atHost = (sql: AnySql, host: string) => sql`
  removed_at is null and (
    uuid = (select proxy_uuid from hostnames where hostname = ${host})
    or id = (select proxy_id from domains where host = ${host} and served and removed_at is null limit 1))`;

/** As whom the caller passes: the owner (or an administrator) always, a member where the policy lets members in. */
export async function wayIn(sql: AnySql, proxy: ProxyRow, actor: Actor) {
  const { policy } = await readPolicy(sql, proxy.uuid);
  if (policy.kind !== 'wall') return null;
  if (ownRoleOn(proxy, actor))
    return { method: 'owner', asAdmin: proxy.userId !== actor.userId, until: null } as const;
  const membership = policy.methods.includes('member') ? await findMembership(sql, proxy, actor) : null;
  return membership && ({ method: 'member', asAdmin: false, until: membership.until } as const);
}

/** The address of a proxy under a name. A request says nothing of it: on another port of the host somebody else may listen. */
export const urlOf = (host: string, { TUNNEL_PUBLIC_PORT }: Pick<ProxiesSettings, 'TUNNEL_PUBLIC_PORT'>) =>
  publicUrl({ cfDomain: host, proxyPort: TUNNEL_PUBLIC_PORT });

export function refuseSuspended({ suspensionReason }: Actor): void {
  if (suspensionReason !== undefined)
    throw new AppError('account_suspended', { params: { reason: suspensionReason } });
}
