import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { readPage } from '@talpa/service-kit/database/page';
import { contains } from '@talpa/service-kit/database/search';
import type { ProxiesContext } from '../context.ts';
import { publicServer } from '../server/public.ts';
import { reachOf } from '../server/roles.ts';
import type { ServerRow } from '../server/row.ts';

/** The caller's own servers, oldest first. */
export const listOwnServers: Verb<Routes['GET /api/servers'], ProxiesContext> = async (context, input) => {
  const { sql, actor } = context;
  const ids = actor.apiKey?.proxyIds ?? null;
  const id = sql`id`;
  const { rows, facts } = await readPage<ServerRow, ServerRow>(
    sql,
    input,
    {
      columns: sql`*`,
      from: sql`servers`,
      id,
      where: [
        sql`removed_at is null and user_id = ${actor.userId}`,
        ...(ids === null
          ? []
          : [
              sql`exists (select 1 from proxies where server_id = servers.id and proxies.removed_at is null
                and proxies.id = any(${sql.array([...ids], 20)}))`,
            ]),
        // Nobody has so many that it takes an index.
        ...(input.q === undefined ? [] : [contains(sql, input.q, sql`lower(name)`, sql`lower(name)`)]),
      ],
      sorts: { createdAt: { by: id, valueOf: (row) => row.id } },
    },
    (row) => row,
  );
  context.setPage(facts);
  const reach = await reachOf(sql, rows, actor);
  return rows.map((row) => {
    const own = reach.get(row.id);
    if (!own) throw new AppError('internal');
    return publicServer(row, own);
  });
};
