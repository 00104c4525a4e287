import { useState } from 'react';

/** A row that was just created or edited here. */
export interface Changed<Row> {
  readonly row: Row | null;
  /** Whether the page leaves it out: it is shown on top then. */
  readonly isHidden: boolean;
  /** The page's rows, with the changed one among them. */
  readonly rows: readonly Row[];
  readonly note: (row: Row) => void;
  readonly forget: () => void;
}

/** Remembers what was just changed, until another page, order or filter is looked at. */
export function useChanged<Row extends { readonly id: number }>(
  rows: readonly Row[],
  page: string,
): Changed<Row> {
  const [noted, setNoted] = useState<{ readonly page: string; readonly row: Row } | null>(null);
  const row = noted?.page === page ? noted.row : null;
  const isHidden = row !== null && !rows.some(({ id }) => id === row.id);
  return {
    row,
    isHidden,
    rows: isHidden ? [row, ...rows] : rows,
    note: (next) => setNoted({ page, row: next }),
    forget: () => setNoted(null),
  };
}
