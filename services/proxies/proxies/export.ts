import { exportBytes, type InternalCalls, openPolicy, type Verb } from '@talpa/contracts';
import { fitting } from '@talpa/service-kit/database/page';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { serviceTokensOf, visitsOf } from '../access/exported.ts';
import { policiesOf } from '../access/row.ts';
import type { ProxiesContext } from '../context.ts';
import { domainsOf } from '../domains/row.ts';
import { exportedPort, gamePortsOf } from '../game-ports/row.ts';
import { membershipsOf, membersOf, publicMember } from '../members/sql.ts';
import { type ProxyRow, publicProxy } from '../proxy/row.ts';
import { publicServer } from '../server/public.ts';
import type { ServerRow } from '../server/row.ts';

const rowsAtOnce = 500;

/** The user's own export of their proxies: as much as fits into the response beside the other services' parts. */
export const exportUser: Verb<InternalCalls['proxies.exportUser'], ProxiesContext> = async (
  { sql },
  { userId, after },
) => {
  const rows = await sql<ProxyRow[]>`
    select * from proxies where user_id = ${userId} and removed_at is null and id > ${after ?? 0}
    order by id limit ${rowsAtOnce + 1}`;
  const shown = rows.slice(0, rowsAtOnce);
  const [ids, uuids] = [shown.map(({ id }) => id), shown.map(({ uuid }) => uuid)];
  const [domains, members, policies, tokens, visits, ports, memberships] = await Promise.all([
    domainsOf(sql, shown),
    membersOf(sql, shown),
    policiesOf(sql, uuids),
    serviceTokensOf(sql, uuids),
    visitsOf(sql, uuids),
    gamePortsOf(sql, ids),
    after === null ? membershipsOf(sql, userId) : [],
  ]);
  const exported = (row: ProxyRow) => ({
    ...publicProxy(row),
    domains: domains.get(row.id) ?? [],
    members: members.filter(({ proxyId }) => proxyId === row.id).map(publicMember),
    access: policies.get(row.uuid) ?? openPolicy,
    gamePorts: ports.filter(({ proxyId }) => proxyId === row.id).map(exportedPort),
    serviceTokens: [...(tokens.get(row.uuid) ?? [])],
    visits: [...(visits.get(row.uuid) ?? [])],
  });
  const proxies = fitting(shown, exported, exportBytes.proxies);
  const servers = await exportedServers(
    sql,
    userId,
    proxies.map(({ id }) => id),
    after === null,
  );
  return {
    servers,
    proxies,
    memberships,
    next: proxies.length < rows.length ? (proxies.at(-1)?.id ?? null) : null,
  };
};

/** The servers whose first proxy is one of these, and those that are empty, if they are wanted. */
async function exportedServers(sql: AnySql, userId: number, proxyIds: readonly number[], withEmpty: boolean) {
  const rows = await sql<(ServerRow & { proxyIds: number[] })[]>`
    select servers.*, own.ids as proxy_ids from servers cross join lateral (
      select coalesce(array_agg(id order by id), '{}') as ids from proxies
      where server_id = servers.id and removed_at is null) own
    where user_id = ${userId} and removed_at is null
      and (own.ids[1] in ${sql([0, ...proxyIds])} or (${withEmpty} and own.ids = '{}'))
    order by id`;
  return rows.map(({ proxyIds: ids, ...row }) => {
    const {
      role: _role,
      mayReadToken: _may,
      ...server
    } = publicServer(row, { role: 'owner', proxyIds: ids });
    return server;
  });
}
