import type postgres from 'postgres';
import type { Sql } from './sql.ts';

type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** A trigram index finds nothing of fewer characters. */
const shortestPart = 3;
/** It knows letters and digits alone: without two in a row, or one where a word begins, it would read all rows. */
const isIndexed = /[\p{L}\p{N}]{2}|[^\p{L}\p{N}][\p{L}\p{N}]/u;
const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/**
 * Finds a text anywhere in `whole` (lower case, with a trigram index); a shorter one, or one of signs alone, only
 * at the beginning of `start` (lower case, with a text_pattern_ops index). The database lowers the text, as it
 * did the columns: for some letters (İ) we would do it otherwise.
 */
export function contains(sql: Sql, text: string, whole: Fragment, start: Fragment): Fragment {
  return [...text].length < shortestPart || !isIndexed.test(text)
    ? sql`${start} like lower(${`${escaped(text)}%`})`
    : sql`${whole} like lower(${`%${escaped(text)}%`})`;
}
