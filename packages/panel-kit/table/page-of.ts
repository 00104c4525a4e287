import type { ListPage } from '../core/api/page.ts';
import { type ListAddress, pageSize } from './use-list.ts';

/**
 * The page that an address asks for of a list that is here as a whole: nothing of the others is drawn, which for hundreds of rows takes seconds.
 * @param by what is searched in a row, and how two rows are compared by each order; the first order is that of the rows
 */
export function pageOf<Row, S extends string>(
  rows: readonly Row[],
  address: Pick<ListAddress<S>, 'q' | 'order' | 'cursor'>,
  by: {
    readonly textOf: (row: Row) => string;
    readonly compare: Readonly<Record<S, (one: Row, other: Row) => number>>;
  },
): ListPage<Row> {
  const sought = plain(address.q);
  const found = rows.filter((row) => plain(by.textOf(row)).includes(sought));
  const isDescending = address.order.startsWith('-');
  const sorted = found.toSorted(by.compare[address.order.replace(/^-/, '') as S]);
  if (isDescending) sorted.reverse();
  const at = Number(address.cursor ?? 0) || 0;
  const next = at + pageSize;
  return {
    rows: sorted.slice(at, next),
    next: next < sorted.length ? String(next) : null,
    total: { count: sorted.length, isMore: false },
  };
}

const plain = (text: string) => text.normalize('NFC').toLowerCase();
