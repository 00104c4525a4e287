import { useCallback, useMemo } from 'react';
import { useLocation, useSearchParams } from '../router.ts';
import {
  type FiltersOf,
  type ListOptions,
  type ListView,
  type Order,
  othersIn,
  readView,
  writeView,
} from './address.ts';

/** Rows of a page. */
export const pageSize = 25;

/** Kept beside the address: how the user came to this page. A link opened elsewhere knows no way back but the first page. */
interface Way {
  /** The cursors of the pages before; null is the first page. */
  readonly trail?: readonly (string | null)[];
  /** Made by typing: the next letter replaces it. */
  readonly typed?: true;
}

type AnyReaders = Readonly<Record<string, (text: string) => string | number | undefined>>;

/** The part of a list that the address names, and the ways to others; each is a place to go back to. */
export interface ListAddress<S extends string = string, F extends AnyReaders = AnyReaders>
  extends ListView<S, F> {
  /** The input of the list's route. */
  readonly input: {
    readonly limit: number;
    readonly q?: string;
    readonly cursor?: string;
    readonly sort?: Order<S>;
  } & FiltersOf<F>;
  /** The order the rows are in. */
  readonly order: Order<S>;
  /** Whether rows are left out by search or filter. */
  readonly isNarrowed: boolean;
  /** The page's number from 1; null where it is not known. */
  readonly pageNumber: number | null;
  search(text: string): void;
  sortBy(order: Order<S> | null): void;
  /** Sets filters, `undefined` takes one away; the others stay. */
  filter(change: { readonly [K in keyof F]?: FiltersOf<F>[K] | undefined }): void;
  /** Takes search and filters away. */
  reset(): void;
  next(cursor: string): void;
  /** Goes a page back; to the first where the way is not known. */
  previous(options?: { readonly replace: boolean }): void;
}

/** Keeps search, order, filters and page of a list in the address. `options` is made once, outside of components. */
export function useListAddress<S extends string, F extends AnyReaders>(
  options: ListOptions<S, F>,
): ListAddress<S, F> {
  const [params, setParams] = useSearchParams();
  const way = (useLocation().state ?? {}) as Way;
  const view = useMemo(() => readView(params, options), [params, options]);
  const go = useCallback(
    (next: ListView<S, F>, state: Way = {}, replace = false) =>
      setParams(writeView(next, othersIn(params, options)), { state, replace, preventScrollReset: true }),
    [setParams, params, options],
  );
  const { q, sort, filters, cursor } = view;
  const first = { ...view, cursor: null };
  return {
    ...view,
    input: {
      limit: pageSize,
      ...(q ? { q } : {}),
      ...(sort ? { sort } : {}),
      ...(cursor ? { cursor } : {}),
      ...filters,
    },
    order: sort ?? (options.sorts[0] as S),
    isNarrowed: q !== '' || Object.keys(filters).length > 0,
    pageNumber: cursor === null ? 1 : way.trail ? way.trail.length + 1 : null,
    search: (text) => {
      const wanted = text.trim();
      if (wanted !== q) go({ ...first, q: wanted }, { typed: true }, way.typed);
    },
    sortBy: (order) => go({ ...first, sort: order === options.sorts[0] ? null : order }),
    filter: (change) => {
      const all = Object.entries({ ...filters, ...change }).filter(([, value]) => value !== undefined);
      go({ ...first, filters: Object.fromEntries(all) as FiltersOf<F> });
    },
    reset: () => go({ ...first, q: '', filters: {} }),
    next: (to) => {
      const before = cursor === null ? [] : way.trail;
      go({ ...view, cursor: to }, before ? { trail: [...before, cursor] } : {});
    },
    previous: ({ replace } = { replace: false }) => {
      const trail = way.trail ?? [];
      go({ ...view, cursor: trail.at(-1) ?? null }, { trail: trail.slice(0, -1) }, replace);
    },
  };
}
