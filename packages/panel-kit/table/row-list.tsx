import { useRef } from 'react';
import { CardList } from './card-list.tsx';
import { DataTable } from './data-table.tsx';
import { type Layout, useLayout } from './layout.ts';
import type { RowShape, RowsState } from './rows.ts';

/** Rows as their list's layout shows them. */
export function Rows<Row extends { readonly id: number }>(props: {
  readonly shape: RowShape<Row>;
  readonly rows: readonly Row[];
  readonly layout: Layout | null;
  readonly state?: RowsState<Row> | undefined;
}) {
  const { layout, ...list } = props;
  if (!layout) return null;
  return layout.table ? <DataTable {...list} widths={layout.table} /> : <CardList {...list} />;
}

/** Rows alone, without search and pages. */
export function RowList<Row extends { readonly id: number }>(props: {
  readonly shape: RowShape<Row>;
  readonly rows: readonly Row[];
}) {
  const around = useRef<HTMLDivElement>(null);
  const layout = useLayout(around, { ...props, selects: false });
  return (
    <div ref={around} data-list>
      <Rows {...props} layout={layout} />
    </div>
  );
}
