import { countedUpTo, orderOf } from '@talpa/contracts';
import type postgres from 'postgres';
import { z } from 'zod';
import { invalidField } from '../app-error.ts';
import type { PageFacts } from '../bus/call-context.ts';
import type { Sql } from './sql.ts';

type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** One order of a list: what is sorted by, and what a row has there. The id decides between equals. */
export interface Sort<Row> {
  readonly by: Fragment;
  readonly valueOf: (row: Row) => string | number;
}

/** A list that can be read page by page. Rows have an `id`, and each sort an index that ends in it. */
export interface PagedList<Row> {
  readonly columns: Fragment;
  readonly from: Fragment;
  /** The id's column, where `from` joins. */
  readonly id: Fragment;
  readonly where: readonly Fragment[];
  readonly sorts: Readonly<Record<string, Sort<Row>>>;
}

/** The part of a call's input that says which page. */
export interface PageInput {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** The list's first order when left out. */
  readonly sort?: string | undefined;
}

const cursorSchema = z.tuple([z.string(), z.union([z.string(), z.number()]), z.int()]);
/** The bus carries a megabyte, which so many rows never reach. */
export const pageBytes = 900_000;
const surelyFitting = 100;

/**
 * Reads one page and says where the next begins. A page may be shorter than asked for when it would be too
 * large.
 * @throws AppError invalid_input on `cursor` when it is none of this order
 */
export async function readPage<Row extends { id: number }, Public>(
  sql: Sql,
  input: PageInput,
  list: PagedList<Row>,
  publicOf: (row: Row) => Public,
): Promise<{ readonly rows: Public[]; readonly facts: PageFacts }> {
  const chosen = input.sort ?? Object.keys(list.sorts)[0] ?? '';
  const { name, descending } = orderOf(chosen);
  const sort = list.sorts[name];
  if (!sort) throw new Error(`the list has no order ${name}`);
  const after = input.cursor === undefined ? null : readCursor(input.cursor, chosen);
  const direction = descending ? sql`desc` : sql`asc`;
  const isById = sort.by === list.id;
  const beyond = (value: string | number, id: number) => {
    const compared = descending ? sql`<` : sql`>`;
    return isById
      ? sql`${list.id} ${compared} ${id}`
      : sql`(${sort.by}, ${list.id}) ${compared} (${value}, ${id})`;
  };
  const order = isById ? sql`${list.id} ${direction}` : sql`${sort.by} ${direction}, ${list.id} ${direction}`;
  const found = await taken(sql<Row[]>`
    select ${list.columns} from ${list.from}
    where ${all(sql, after ? [...list.where, beyond(after.value, after.id)] : list.where)}
    order by ${order} limit ${input.limit + 1}`);
  const asked = found.slice(0, input.limit);
  const shown = asked.length <= surelyFitting ? asked.map(publicOf) : fitting(asked, publicOf, pageBytes);
  const last = found[shown.length - 1];
  const hasMore = found.length > shown.length && last !== undefined;
  const total = after || hasMore ? await countUpTo(sql, list) : String(shown.length);
  return {
    rows: shown,
    facts: { next: hasMore ? writeCursor(chosen, sort.valueOf(last), last.id) : null, total },
  };
}

/**
 * A query's rows, taken out of its result. V8 puts postgres.js's queries out of reach of its quick collections (a
 * function assigned to a field is born in old space): rows left in one would be copied about until a full one.
 */
const taken = async <Row>(query: PromiseLike<Row[]>): Promise<Row[]> => (await query).splice(0);

function all(sql: Sql, conditions: readonly Fragment[]): Fragment {
  const [first = sql`true`, ...others] = conditions;
  return others.reduce((before, condition) => sql`${before} and ${condition}`, first);
}

async function countUpTo<Row>(sql: Sql, { from, where }: PagedList<Row>): Promise<string> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from (select 1 from ${from} where ${all(sql, where)} limit ${countedUpTo + 1}) counted`;
  const count = row?.count ?? 0;
  return count > countedUpTo ? `${countedUpTo}+` : String(count);
}

/** The first rows, as public values, up to `most` bytes; at least one. */
export function fitting<Row, Public>(
  rows: readonly Row[],
  publicOf: (row: Row) => Public,
  most: number,
): Public[] {
  const shown: Public[] = [];
  let bytes = 0;
  for (const row of rows) {
    const one = publicOf(row);
    bytes += Buffer.byteLength(JSON.stringify(one)) + 1;
    if (bytes > most && shown.length > 0) break;
    shown.push(one);
  }
  return shown;
}

const writeCursor = (sort: string, value: string | number, id: number) =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url');

function readCursor(cursor: string, sort: string): { value: string | number; id: number } {
  try {
    const [ofSort, value, id] = cursorSchema.parse(
      JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')),
    );
    const isPlain = typeof value === 'number' || !/\p{Cc}|\p{Cs}/u.test(value);
    if (ofSort === sort && isPlain) return { value, id };
  } catch {
    // Said below.
  }
  throw invalidField('cursor', 'invalid');
}
