import type { MemberRole, ProxyConfig, Routes, Verb } from '@talpa/contracts';
import { readPage } from '@talpa/service-kit/database/page';
import { contains } from '@talpa/service-kit/database/search';
import type { ProxiesContext } from '../context.ts';
import { isCurrent, publicMembership } from '../proxy/membership.ts';
import { publicColumns, publicProxy, type ShownRow } from '../proxy/row.ts';
import { withTokenRights } from '../server/token-rights.ts';

interface SharedRow extends ShownRow {
  role: MemberRole;
  memberUntil: Date | null;
}

/** The proxies that the caller is a member of, oldest first unless another order is asked for. */
export const listShared: Verb<Routes['GET /api/shared-proxies'], ProxiesContext> = async (context, input) => {
  const { sql, actor } = context;
  const ids = actor.apiKey?.proxyIds ?? null;
  const id = sql`id`;
  const { rows, facts } = await readPage<SharedRow, ProxyConfig>(
    sql,
    input,
    {
      columns: sql`${publicColumns(sql)}, role, member_until`,
      from: sql`(
        select proxies.*, members.role, members.member_until from members join proxies on proxies.id = proxy_id
        where members.user_id = ${actor.userId} and joined_at is not null and ${isCurrent(sql)}
          and removed_at is null) as shared`,
      id,
      where: [
        ...(ids === null ? [] : [sql`id = any(${sql.array([...ids], 20)})`]),
        ...(input.q === undefined ? [] : [contains(sql, input.q, sql`searchable`, sql`name_key`)]),
      ],
      sorts: {
        createdAt: { by: id, valueOf: (row) => row.id },
        serverName: { by: sql`server_name collate natural_order`, valueOf: (row) => row.serverName },
      },
    },
    (row) => publicProxy(row, publicMembership(row)),
  );
  context.setPage(facts);
  return withTokenRights(sql, rows, actor);
};
