import {
  type CustomDomain,
  challengeNameOf,
  type DomainProblem,
  type DomainState,
  domainGraceHours,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { lags, type ProxyRow, saveProxy, wakeWorker } from '../proxy/row.ts';

export interface DomainRow {
  id: number;
  proxyId: number;
  userId: number;
  host: string;
  token: string;
  state: DomainState;
  problem: DomainProblem | null;
  createdAt: Date;
  checkedAt: Date | null;
  verifiedAt: Date | null;
  failures: number;
  failingSince: Date | null;
  checkAt: Date | null;
  served: boolean;
  held: boolean;
}

const graceMs = domainGraceHours * 3_600_000;

/** When a domain that goes on failing is no longer served, or no longer checked. */
export const graceEnd = (failingSince: Date) => new Date(failingSince.getTime() + graceMs);

/** What a domain's host must point to. */
export const targetOf = (proxy: Pick<ProxyRow, 'applied' | 'hostname'>) =>
  proxy.applied?.hostname ?? proxy.hostname;

/** A domain as the API shows it. */
export function publicDomain(row: DomainRow, proxy: Pick<ProxyRow, 'applied' | 'hostname'>): CustomDomain {
  const { id, host, state, problem, failingSince } = row;
  return {
    id,
    host,
    state,
    problem,
    createdAt: row.createdAt.toISOString(),
    checkedAt: row.checkedAt?.toISOString() ?? null,
    verifiedAt: row.verifiedAt?.toISOString() ?? null,
    servedUntil: row.served && failingSince ? graceEnd(failingSince).toISOString() : null,
    records: [
      { type: 'TXT', name: challengeNameOf(host), value: row.token },
      { type: 'CNAME', name: host, value: targetOf(proxy) },
    ],
  };
}

/** The domains of these proxies, by the proxies' ids. */
export async function domainsOf(
  sql: AnySql,
  proxies: readonly Pick<ProxyRow, 'id' | 'applied' | 'hostname'>[],
): Promise<Map<number, CustomDomain[]>> {
  const byId = new Map(proxies.map((proxy) => [proxy.id, proxy]));
  const rows = await sql<DomainRow[]>`
    select * from domains where proxy_id in ${sql([0, ...byId.keys()])} and removed_at is null order by id`;
  const found = new Map<number, CustomDomain[]>();
  for (const row of rows) {
    const proxy = byId.get(row.proxyId);
    if (proxy) found.set(row.proxyId, [...(found.get(row.proxyId) ?? []), publicDomain(row, proxy)]);
  }
  return found;
}

/** A domain of a proxy. @throws AppError `domain_not_found` */
export async function findDomain(sql: AnySql, id: number, proxyId: number): Promise<DomainRow> {
  const [row] = await sql<DomainRow[]>`
    select * from domains where id = ${id} and proxy_id = ${proxyId} and removed_at is null`;
  if (!row) throw new AppError('domain_not_found');
  return row;
}

/** How many domains a user has, of all proxies. */
export async function countDomains(sql: AnySql, userId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from domains join proxies on proxies.id = domains.proxy_id
    where domains.user_id = ${userId} and domains.removed_at is null and proxies.removed_at is null`;
  return row?.count ?? 0;
}

/** Whether somebody's verified domain, or another one of the user, has the host. */
export async function isTaken(
  sql: AnySql,
  { host, userId, id }: { readonly host: string; readonly userId: number; readonly id: number },
): Promise<boolean> {
  const [row] = await sql`
    select 1 from domains
    where host = ${host} and id <> ${id} and (held or (user_id = ${userId} and removed_at is null)) limit 1`;
  return row !== undefined;
}

/** Gives back the hosts of a proxy that are not served any more, once nothing at the provider leads to it by them. */
export async function releaseDomains(tx: Tx, uuid: string): Promise<void> {
  await tx.sql`
    with gone as (
      delete from domains using proxies
      where proxies.uuid = ${uuid} and domains.proxy_id = proxies.id and domains.removed_at is not null
    )
    update domains set held = false from proxies
    where proxies.uuid = ${uuid} and domains.proxy_id = proxies.id and held and not served
      and domains.removed_at is null`;
}

/** Has the worker lead the served domains of a locked proxy to its tunnel, and no others. */
export async function applyDomains(tx: Tx, proxy: ProxyRow): Promise<ProxyRow> {
  // Without a tunnel nothing leads to it; the next one will be made as is right then.
  if (proxy.applied === null && !lags(proxy)) {
    await releaseDomains(tx, proxy.uuid);
    return saveProxy(tx, proxy);
  }
  await wakeWorker(tx, proxy.serverUuid, { urgent: true });
  return saveProxy(tx, { ...proxy, generation: proxy.generation + 1 });
}
