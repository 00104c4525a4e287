import { mostListedVisits, type ServiceToken, type Visit } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { hasPassedAll, publicVisit, type VisitRow } from './list-visits.ts';
import { publicToken, type TokenRow } from './service-tokens.ts';

type OfProxies<T> = ReadonlyMap<string, readonly T[]>;

/** The service tokens of these proxies by their UUIDs, without secrets. */
export async function serviceTokensOf(
  sql: AnySql,
  uuids: readonly string[],
): Promise<OfProxies<ServiceToken>> {
  if (uuids.length === 0) return new Map();
  const rows = await sql<(TokenRow & { proxyUuid: string })[]>`
    select proxy_uuid, id, name, created_at, expires_at from service_tokens where proxy_uuid in ${sql([...uuids])}
    order by id`;
  return byProxy(rows, publicToken);
}

/** The visits of these proxies by their UUIDs: of each the newest, as many as are listed, so that each fits into a response. */
export async function visitsOf(sql: AnySql, uuids: readonly string[]): Promise<OfProxies<Visit>> {
  if (uuids.length === 0) return new Map();
  const rows = await sql<(VisitRow & { proxyUuid: string })[]>`
    select * from (
      select access_sessions.proxy_uuid, access_sessions.id, methods, access_sessions.user_id, username, email, as_admin,
        access_sessions.address,
        user_agent, access_sessions.created_at, access_sessions.expires_at,
        row_number() over (
          partition by access_sessions.proxy_uuid order by access_sessions.created_at desc, access_sessions.id
        ) as place
      from access_sessions join access_policies using (proxy_uuid)
        left join users on users.user_id = access_sessions.user_id
      where access_sessions.proxy_uuid in ${sql([...uuids])} and ${hasPassedAll(sql)}
    ) as placed
    where place <= ${mostListedVisits} order by place`;
  return byProxy(rows, publicVisit);
}

function byProxy<Row extends { proxyUuid: string }, T>(
  rows: readonly Row[],
  publicOf: (row: Row) => T,
): OfProxies<T> {
  const grouped = Map.groupBy(rows, ({ proxyUuid }) => proxyUuid);
  return new Map([...grouped].map(([uuid, ofOne]) => [uuid, ofOne.map(publicOf)]));
}
