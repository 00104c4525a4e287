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
      select visits.proxy_uuid, visits.id, methods, visits.user_id, username, email, as_admin,
        visits.address, user_agent, visits.created_at, visits.expires_at,
        row_number() over (
          partition by visits.proxy_uuid order by visits.created_at desc, visits.id
        ) as place
      from visits join access_policies using (proxy_uuid)
        left join users on users.user_id = visits.user_id
      where visits.proxy_uuid in ${sql([...uuids])} and ${hasPassedAll(sql)}
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
