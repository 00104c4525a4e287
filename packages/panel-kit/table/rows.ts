/** What the rows of a list show of the list around them. */
export interface RowsState<Row> {
  readonly order: { readonly current: string; readonly sortBy: (order: string | null) => void };
  /** The row that was just created or edited. */
  readonly changedId: number | null;
  /** Another page is on its way. */
  readonly isBusy: boolean;
  readonly selection?: Selection<Row> | undefined;
}

/** Rows chosen on this page. */
export interface Selection<Row> {
  readonly selected: readonly Row[];
  readonly selectable: readonly Row[];
  readonly nameOf: (row: Row) => string;
  readonly choose: (rows: readonly Row[]) => void;
}

/** The order after one more press on a column's heading: up, down, and the list's own again. */
export function nextOrder(column: string, current: string): string | null {
  if (current === column) return `-${column}`;
  return current === `-${column}` ? null : column;
}
