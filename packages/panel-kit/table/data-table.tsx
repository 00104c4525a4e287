import { Table } from 'antd';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import styles from './data-table.module.css';
import { type Layout, selectionWidth } from './layout.ts';
import { RowActions } from './row-actions.tsx';
import { inTable, type RowShape, type RowsState } from './rows.ts';
import { directionOf, SortHeader } from './sort-header.tsx';

/** Rows as a table; with the state of a list they can be sorted and chosen. */
export function DataTable<Row extends { readonly id: number }>(props: {
  readonly shape: RowShape<Row>;
  readonly rows: readonly Row[];
  readonly widths: NonNullable<Layout['table']>;
  readonly state?: RowsState<Row> | undefined;
}) {
  const t = useKitTexts();
  const { shape, state, widths } = props;
  const selection = state?.selection;
  return (
    <Table<Row>
      className={styles.table ?? ''}
      aria-label={shape.label}
      aria-busy={state?.isBusy ?? false}
      dataSource={[...props.rows]}
      rowKey="id"
      pagination={false}
      // No content makes a column wider, so that none pushes the actions out of sight.
      tableLayout="fixed"
      rowClassName={(row) => (row.id === state?.changedId ? (styles.changed ?? '') : '')}
      {...(selection
        ? {
            rowSelection: {
              columnWidth: selectionWidth,
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
      columns={[
        ...inTable(shape.columns).map(({ key, title, render, sort }, index) => ({
          key,
          title: sort && state ? <SortHeader title={title} column={sort} order={state.order} /> : title,
          width: widths.columns[index] ?? 0,
          ...(sort && state
            ? { onHeaderCell: () => ({ 'aria-sort': directionOf(sort, state.order.current) }) }
            : {}),
          render: (_: unknown, row: Row) => render(row, 'table'),
        })),
        {
          key: 'actions',
          title: t('list.rowActions'),
          width: widths.actions,
          align: 'right',
          className: styles.actions ?? '',
          render: (_: unknown, row: Row) => <RowActions actions={shape.actions(row)} place="table" />,
        },
      ]}
    />
  );
}
