import type postgres from 'postgres';
import type { Sql } from './connect.ts';

type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** A trigram index finds nothing of fewer characters. */
const shortestPart = 3;
const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/**
 * Finds a text anywhere in `whole` (lower case, with a trigram index); a shorter one only at the beginning of
 * `start` (lower case, with a text_pattern_ops index).
 */
export function contains(sql: Sql, text: string, whole: Fragment, start: Fragment): Fragment {
  const wanted = text.toLowerCase();
  return [...wanted].length < shortestPart
    ? sql`${start} like ${`${escaped(wanted)}%`}`
    : sql`${whole} like ${`%${escaped(wanted)}%`}`;
}
