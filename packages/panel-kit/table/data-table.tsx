import { Table } from 'antd';
import TableMeasureRowContext from 'antd/es/table/TableMeasureRowContext';
import { type ReactNode, useContext } from 'react';
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

/** Long names and addresses break before the table scrolls sideways, which would hide the actions; in px. */
const narrowest = 860;

/** What one can press stands in the headings alone: antd repeats their titles in a hidden row that measures. */
function InHeadAlone({ children }: { readonly children: ReactNode }) {
  return useContext(TableMeasureRowContext) ? null : children;
}

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
      scroll={{ x: narrowest }}
      rowClassName={(row) => (row.id === state?.changedId ? (styles.changed ?? '') : '')}
      {...(selection
        ? {
            rowSelection: {
              columnWidth: 48,
              columnTitle: (checkbox: ReactNode) => <InHeadAlone>{checkbox}</InHeadAlone>,
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
        title:
          sort && state ? (
            <InHeadAlone>
              <SortHeader title={title} column={sort} order={state.order} />
            </InHeadAlone>
          ) : (
            title
          ),
        ...(align ? { align } : {}),
        ...(width ? { width } : {}),
        ...(sort && state
          ? { onHeaderCell: () => ({ 'aria-sort': directionOf(sort, state.order.current) }) }
          : {}),
        render: (_: unknown, row: Row) => render(row),
      }))}
    />
  );
}
