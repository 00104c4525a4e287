import { z } from 'zod';
import * as fields from './fields.ts';

/** What a list gives at once, and when nothing else is asked for. */
export const longestPage = 1_000;
/** Totals are counted up to here; above it they read `1000+`. */
export const countedUpTo = 1_000;

/** Where something goes on; opaque. */
export const cursor = fields
  .text(2_000)
  .regex(/^[\w-]{1,2000}$/)
  .optional();

type Order<S extends string> = S | `-${S}`;

/**
 * The query of a list in pages: how many, from where, in which order (`-` before a name: descending), and
 * what to look for. Without it the list is plain, by its first order.
 */
export function paged<const S extends string>(sorts: readonly [S, ...S[]]) {
  const orders = sorts.flatMap((sort): Order<S>[] => [sort, `-${sort}`]);
  return {
    limit: fields.coerced(z.int().min(1).max(longestPage)).default(longestPage),
    /** Comes from the `Link` header of the page before. */
    cursor,
    sort: z.enum(orders as [Order<S>, ...Order<S>[]]).optional(),
    q: fields.searched,
  };
}

/** The orders proxies may be listed in. */
export const proxySorts = ['createdAt', 'serverName'] as const;

/** A page's order, taken apart. */
export function orderOf(sort: string): { readonly name: string; readonly descending: boolean } {
  const descending = sort.startsWith('-');
  return { name: descending ? sort.slice(1) : sort, descending };
}
