import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError } from '../core/api/api-error.ts';

/** A row that was just created or edited here. */
export interface Changed<Row> {
  readonly row: Row | null;
  /** Whether the page leaves it out: it is shown on top then. */
  readonly isHidden: boolean;
  /** The page's rows, with the changed one among them. */
  readonly rows: readonly Row[];
  readonly remember: (row: Row) => void;
  readonly forget: () => void;
}

/**
 * Keeps what was just changed, until another page, order or filter is looked at.
 * @param page what is looked at, as a text.
 * @param queryOf asks for one row: where the page leaves it out, or it has been deleted.
 */
export function useChanged<Row extends { readonly id: number }>(
  rows: readonly Row[],
  page: string,
  queryOf: (id: number) => UseQueryOptions<Row, ApiError, Row, readonly unknown[]>,
): Changed<Row> {
  const [remembered, setRemembered] = useState<{ readonly page: string; readonly row: Row } | null>(null);
  const row = remembered?.page === page ? remembered.row : null;
  const isMissing = row !== null && !rows.some(({ id }) => id === row.id);
  // Forgotten as soon as the page has it: what was asked for then would be shown in its place later.
  const asked = useQuery({ ...queryOf(isMissing ? row.id : 0), enabled: isMissing, gcTime: 0 });
  const hidden = isMissing && !asked.isError ? asked.data : undefined;
  return {
    row: isMissing ? (hidden ?? null) : row,
    isHidden: hidden !== undefined,
    rows: hidden ? [hidden, ...rows] : rows,
    remember: (next) => setRemembered({ page, row: next }),
    forget: () => setRemembered(null),
  };
}
