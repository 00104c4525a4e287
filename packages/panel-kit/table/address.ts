/** Reads a filter's value; undefined where the text is none. */
export type Reader<T extends string | number> = (text: string) => T | undefined;
type Readers = Readonly<Record<string, Reader<string | number>>>;
/** Each filter's value; left out where all are shown. */
export type FiltersOf<F extends Readers> = {
  readonly [K in keyof F]?: Exclude<ReturnType<F[K]>, undefined>;
};

/** What a list can be asked for; its first order is the one without a word about it. */
export interface ListOptions<S extends string, F extends Readers> {
  readonly sorts: readonly S[];
  readonly filters: F;
}
export type Order<S extends string> = S | `-${S}`;

/** Which part of a list is looked at. */
export interface ListView<S extends string, F extends Readers> {
  readonly q: string;
  readonly sort: Order<S> | null;
  readonly filters: FiltersOf<F>;
  readonly cursor: string | null;
}

export const longestSearch = 100;
const readSearch = (text: string) => (text.length > longestSearch || /\p{Cc}/u.test(text) ? '' : text.trim());

/** What an address says of a list. Whatever it does not know it passes over. */
export function readView<S extends string, F extends Readers>(
  params: URLSearchParams,
  { sorts, filters }: ListOptions<S, F>,
): ListView<S, F> {
  const orders = sorts.flatMap((sort): Order<S>[] => [sort, `-${sort}`]);
  const known = Object.entries(filters).flatMap(([name, read]) => {
    const value = read(params.get(name) ?? '');
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    q: readSearch(params.get('q') ?? ''),
    sort: orders.find((order) => order === params.get('sort') && order !== sorts[0]) ?? null,
    filters: Object.fromEntries(known) as FiltersOf<F>,
    cursor: params.get('cursor') || null,
  };
}

type Params = readonly (readonly [name: string, value: string])[];

/** What an address says of other things than the list: which tab of the page it stands in. */
export function othersIn<S extends string, F extends Readers>(
  params: URLSearchParams,
  { filters }: ListOptions<S, F>,
): Params {
  const own = ['q', 'sort', 'cursor', ...Object.keys(filters)];
  return [...params].filter(([name]) => !own.includes(name));
}

/** The address of a view: only what differs from the plain list. @param others what else it says */
export function writeView<S extends string, F extends Readers>(
  view: ListView<S, F>,
  others: Params = [],
): URLSearchParams {
  const { q, sort, filters, cursor } = view;
  const all = Object.entries({ q, sort, ...filters, cursor }).filter(([, value]) => value);
  return new URLSearchParams([...others, ...all].map(([name, value]) => [name, String(value)]));
}

/** A filter of known words. */
export const oneOf =
  <const T extends string>(words: readonly T[]): Reader<T> =>
  (text) =>
    words.find((word) => word === text);

/** A filter of an id. */
export const anId: Reader<number> = (text) => {
  const id = Number(text);
  return /^\d+$/.test(text) && id > 0 && Number.isSafeInteger(id) ? id : undefined;
};
