import { z } from 'zod';
import { pageOf } from '../api/envelope.ts';
import { operation, paging } from '../api/operation.ts';
import { statusSql, type TunnelRow, tunnelsWithConnections, tunnelView } from './sql.ts';

const text = z.string().optional();
/** `%` and `_` in a prefix mean themselves. */
const prefix = (start: string) => `${start.replace(/[\\%_]/g, '\\$&')}%`;

/** Lists tunnels, newest first. Without `is_deleted` the deleted ones come too. */
export const listTunnels = operation({
  name: 'listTunnels',
  // A filter that is not known would give more than was asked for.
  input: z.strictObject({
    is_deleted: z.enum(['true', 'false']).optional(),
    name: text,
    uuid: text,
    status: z.enum(['inactive', 'degraded', 'healthy', 'down']).optional(),
    include_prefix: text,
    exclude_prefix: text,
    ...paging,
  }),
  run: async ({ sql, accountId }, input) => {
    const where = sql`where true
      ${input.is_deleted ? sql`and (deleted_at is not null) = ${input.is_deleted === 'true'}` : sql``}
      ${input.name === undefined ? sql`` : sql`and name = ${input.name}`}
      ${input.uuid === undefined ? sql`` : sql`and id::text = ${input.uuid.toLowerCase()}`}
      ${input.status ? sql`and ${statusSql(sql)} = ${input.status}` : sql``}
      ${input.include_prefix ? sql`and name like ${prefix(input.include_prefix)}` : sql``}
      ${input.exclude_prefix ? sql`and name not like ${prefix(input.exclude_prefix)}` : sql``}`;
    const rows = await sql<TunnelRow[]>`
      select * from ${tunnelsWithConnections(sql)} ${where} order by created_at desc, id
      limit ${input.per_page} offset ${(input.page - 1) * input.per_page}`;
    const views = rows.map((row) => tunnelView(row, accountId));
    return pageOf(views, input, async () => {
      const [total] = await sql<{ count: number }[]>`
        select count(*)::integer as count from ${tunnelsWithConnections(sql)} ${where}`;
      return total?.count ?? 0;
    });
  },
});
