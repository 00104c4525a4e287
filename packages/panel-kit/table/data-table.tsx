import { Table } from 'antd';
import type { ComponentProps, ReactNode, ThHTMLAttributes } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import styles from './data-table.module.css';
import type { RowsState } from './rows.ts';
import { directionOf, SortHeader } from './sort-header.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  readonly align?: 'left' | 'right';
  readonly width?: number;
  /** The order its heading sorts by. */
  readonly sort?: string;
}

interface HeaderCellProps extends ThHTMLAttributes<HTMLTableCellElement> {
  readonly sorting?: ComponentProps<typeof SortHeader>;
}

/** The button stands in the heading's cell, not in its title: antd repeats titles in a hidden row. */
function HeaderCell({ sorting, children, ...cell }: HeaderCellProps) {
  if (!sorting) return <th {...cell}>{children}</th>;
  return (
    <th {...cell} aria-sort={directionOf(sorting.column, sorting.order.current)}>
      <SortHeader {...sorting} />
    </th>
  );
}
const components = { header: { cell: HeaderCell } };

/** Rows on a wide screen; with the state of a list they can be sorted and chosen. */
export function DataTable<Row extends { readonly id: number }>(props: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly state?: RowsState<Row> | undefined;
}) {
  const t = useKitTexts();
  const { state } = props;
  const selection = state?.selection;
  return (
    <Table<Row>
      className={styles.table ?? ''}
      aria-label={props.label}
      aria-busy={state?.isBusy ?? false}
      dataSource={[...props.rows]}
      rowKey="id"
      pagination={false}
      scroll={{ x: 'max-content' }}
      components={components}
      rowClassName={(row) => (row.id === state?.changedId ? (styles.changed ?? '') : '')}
      {...(selection
        ? {
            rowSelection: {
              columnWidth: 48,
              selectedRowKeys: selection.selected.map(({ id }) => id),
              onChange: (_keys, rows) => selection.choose(rows),
              getTitleCheckboxProps: () => ({ 'aria-label': t('list.selectAll') }),
              getCheckboxProps: (row) => ({
                'aria-label': t('list.select', { name: selection.nameOf(row) }),
                disabled: !selection.selectable.includes(row),
              }),
            },
          }
        : {})}
      columns={props.columns.map(({ key, title, render, align, width, sort }) => ({
        key,
        title,
        ...(align ? { align } : {}),
        ...(width ? { width } : {}),
        ...(sort && state
          ? {
              onHeaderCell: () =>
                ({ sorting: { title, column: sort, order: state.order } }) as HeaderCellProps,
            }
          : {}),
        render: (_: unknown, row: Row) => render(row),
      }))}
    />
  );
}
