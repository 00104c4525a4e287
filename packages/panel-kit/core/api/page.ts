import type { RouteName, Routes } from '@talpa/contracts';
import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { ApiError } from './api-error.ts';
import { type CallOptions, callWithHeaders, type Input, type ResponseBody } from './call.ts';

/** Routes that list things page by page. */
export type PagedName = {
  [N in RouteName]: Routes[N] extends { effect: 'page'; media: string }
    ? never
    : Routes[N] extends { effect: 'page' }
      ? N
      : never;
}[RouteName];

/** How many rows a list has; above what the server counts to, that there are more. */
export interface Total {
  readonly count: number;
  readonly isMore: boolean;
}

/** One page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
  /** Null where the server does not say. */
  readonly total: Total | null;
}

/** What the headers say about a page: `Link: <…>; rel="next"` and `X-Total-Count`. */
export function pageFacts(headers: Headers): Omit<ListPage<never>, 'rows'> {
  const [, address] = headers.get('link')?.match(/<([^>]+)>;\s*rel="next"/) ?? [];
  const [, count, more] = headers.get('x-total-count')?.match(/^(\d+)(\+?)$/) ?? [];
  return {
    next: address ? new URLSearchParams(address.split('?')[1]).get('cursor') : null,
    total: count === undefined ? null : { count: Number(count), isMore: more === '+' },
  };
}

/** The query of one page of a list; what was shown stays until it is there. Its key lies below the list's, which is its path if none is given. */
export function pageQuery<N extends PagedName>(
  name: N,
  input: Input<N>,
  options: CallOptions = {},
  list: QueryKey = [name.slice('GET '.length)],
) {
  type Page = ListPage<ResponseBody<N>[number]>;
  return queryOptions<Page, ApiError>({
    queryKey: [...list, input],
    queryFn: async ({ signal }): Promise<Page> => {
      const { response, headers } = await callWithHeaders(name, input, { ...options, signal });
      return { rows: response, ...pageFacts(headers) };
    },
    placeholderData: keepPreviousData,
  });
}
