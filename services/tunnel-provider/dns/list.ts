import { z } from 'zod';
import { pageOf } from '../api/envelope.ts';
import { operation, paging } from '../api/operation.ts';
import { type RecordRow, recordView } from './record.ts';

const fields = ['name', 'content', 'comment'] as const;
const text = z.string().optional();

/** Lists records by name. Filters all have to match; texts compare without regard to case. */
export const listRecords = operation({
  name: 'listRecords',
  input: z.strictObject({
    type: text,
    proxied: z.enum(['true', 'false']).optional(),
    name: text,
    content: text,
    comment: text,
    ...(Object.fromEntries(
      fields.flatMap((field) =>
        ['exact', 'contains', 'startswith', 'endswith'].map((how) => [`${field}.${how}`, text]),
      ),
    ) as Record<
      `${(typeof fields)[number]}.${'exact' | 'contains' | 'startswith' | 'endswith'}`,
      typeof text
    >),
    order: z.enum(['type', 'name', 'content', 'ttl', 'proxied']).default('name'),
    direction: z.enum(['asc', 'desc']).default('asc'),
    ...paging,
    per_page: paging.per_page.unwrap().max(5_000).default(100),
  }),
  run: async ({ sql }, input) => {
    const conditions = fields.flatMap((field) => {
      const column = sql`lower(${sql(field)})`;
      const value = (how: 'exact' | 'contains' | 'startswith' | 'endswith') =>
        input[`${field}.${how}`]?.toLowerCase();
      const exact = value('exact') ?? input[field]?.toLowerCase();
      const contains = value('contains');
      const startswith = value('startswith');
      const endswith = value('endswith');
      return [
        exact === undefined ? sql`` : sql`and ${column} = ${exact}`,
        contains === undefined ? sql`` : sql`and position(${contains} in ${column}) > 0`,
        startswith === undefined ? sql`` : sql`and starts_with(${column}, ${startswith})`,
        endswith === undefined ? sql`` : sql`and right(${column}, length(${endswith})) = ${endswith}`,
      ];
    });
    const where = sql`where true
      ${input.type ? sql`and type = ${input.type}` : sql``}
      ${input.proxied ? sql`and proxied = ${input.proxied === 'true'}` : sql``}
      ${conditions}`;
    const rows = await sql<RecordRow[]>`
      select * from dns_records ${where} order by ${sql(input.order)} ${input.direction === 'asc' ? sql`asc` : sql`desc`}, id
      limit ${input.per_page} offset ${(input.page - 1) * input.per_page}`;
    return pageOf(rows.map(recordView), input, async () => {
      const [total] = await sql<{ count: number }[]>`
        select count(*)::integer as count from dns_records ${where}`;
      return total?.count ?? 0;
    });
  },
});
