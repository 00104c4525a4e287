import { Table } from 'antd';
import type { ReactNode } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  readonly align?: 'left' | 'right';
  readonly width?: number;
}

/** Rows on a wide screen. */
export function DataTable<Row extends { readonly id: number }>(props: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
}) {
  return (
    <Table<Row>
      className={styles.table ?? ''}
      aria-label={props.label}
      dataSource={[...props.rows]}
      rowKey="id"
      pagination={false}
      scroll={{ x: 'max-content' }}
      columns={props.columns.map(({ key, title, render, align, width }) => ({
        key,
        title,
        ...(align ? { align } : {}),
        ...(width ? { width } : {}),
        render: (_: unknown, row: Row) => render(row),
      }))}
    />
  );
}
