import { useState } from 'react';
import type { Selection } from './rows.ts';

/** Choosing rows of one page, `page` being what distinguishes it from others; leaving the page forgets them. */
export function useSelection<Row extends { readonly id: number }>(
  rows: readonly Row[],
  options: {
    readonly page: string;
    readonly nameOf: (row: Row) => string;
    readonly canSelect?: (row: Row) => boolean;
  },
): Selection<Row> {
  const [chosen, setChosen] = useState<{ readonly page: string; readonly ids: ReadonlySet<number> }>({
    page: '',
    ids: new Set(),
  });
  const ids = chosen.page === options.page ? chosen.ids : new Set<number>();
  const selectable = options.canSelect ? rows.filter(options.canSelect) : rows;
  return {
    // Rows that have gone meanwhile are not chosen any more.
    selected: selectable.filter((row) => ids.has(row.id)),
    selectable,
    nameOf: options.nameOf,
    choose: (next) => setChosen({ page: options.page, ids: new Set(next.map(({ id }) => id)) }),
  };
}
