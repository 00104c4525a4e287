import type { ProxyConfig } from '@talpa/contracts';
import type { PageFacts } from '@talpa/service-kit/bus/call-context';
import { type PageInput, readPage } from '@talpa/service-kit/database/page';
import { contains } from '@talpa/service-kit/database/search';
import type { Sql } from '@talpa/service-kit/database/sql';
import { publicColumns, publicProxy, type ShownRow } from '../proxy/row.ts';

/** Which proxies, beside which page of them. */
export interface Wanted extends PageInput {
  readonly userId?: number | undefined;
  /** Only these; null: all. */
  readonly ids: readonly number[] | null;
  readonly status?: ProxyConfig['status'] | undefined;
  readonly q?: string | undefined;
  /** Whether their owners' names are searched, too. */
  readonly byOwner?: boolean;
}

/** One page of proxies. */
export function proxiesPage(sql: Sql, wanted: Wanted): Promise<{ rows: ProxyConfig[]; facts: PageFacts }> {
  const { userId, ids, status, q, byOwner } = wanted;
  const id = sql`id`;
  return readPage<ShownRow, ProxyConfig>(
    sql,
    wanted,
    {
      columns: publicColumns(sql),
      from: sql`proxies`,
      id,
      where: [
        sql`removed_at is null`,
        ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
        ...(ids === null ? [] : [sql`id = any(${sql.array([...ids], 20)})`]),
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(q === undefined
          ? []
          : [contains(sql, q, byOwner ? sql`searchable_by_all` : sql`searchable`, sql`name_key`)]),
      ],
      sorts: {
        createdAt: { by: id, valueOf: (row) => row.id },
        serverName: { by: sql`server_name collate natural_order`, valueOf: (row) => row.serverName },
      },
    },
    (row) => publicProxy(row),
  );
}
