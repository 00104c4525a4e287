import { Table } from 'antd';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import styles from './data-table.module.css';
import { type Layout, selectionWidth } from './layout.ts';
import { RowActions } from './row-actions.tsx';
import { inGroups, inTable, type RowShape, type RowsState } from './rows.ts';
import { directionOf, SortHeader } from './sort-header.tsx';

/** A line of the table: a row, or what is said of the rows below. */
type Line<Row> = { readonly row: Row; readonly isInGroup: boolean } | { readonly groupId: number };

const keyOf = <Row extends { readonly id: number }>(line: Line<Row>) =>
  'row' in line ? line.row.id : `group ${line.groupId}`;

/** Rows as a table; with the state of a list they can be sorted and chosen. */
export function DataTable<Row extends { readonly id: number }>(props: {
  readonly shape: RowShape<Row>;
  readonly rows: readonly Row[];
  readonly widths: NonNullable<Layout['table']>;
  readonly state?: RowsState<Row> | undefined;
}) {
  const t = useKitTexts();
  const { shape, state, widths } = props;
  const { grouping } = shape;
  const selection = state?.selection;
  const columns = inTable(shape.columns);
  const lines = inGroups(props.rows, grouping).flatMap(({ id, rows }): Line<Row>[] => [
    ...(id === null ? [] : [{ groupId: id }]),
    ...rows.map((row) => ({ row, isInGroup: id !== null })),
  ]);
  const extraAt = columns.findIndex(({ onCard }) => onCard === 'extra');
  // What is said of a group reaches to the column of what is said beside it.
  const spanOf = (index: number) => (index === 0 ? extraAt : index < extraAt ? 0 : 1);
  const classOf = (line: Line<Row>) => {
    if (!('row' in line)) return styles.group ?? '';
    const isChanged = line.row.id === state?.changedId;
    return `${isChanged ? styles.changed : ''} ${line.isInGroup ? styles.member : ''}`;
  };
  return (
    <Table<Line<Row>>
      className={styles.table ?? ''}
      aria-label={shape.label}
      aria-busy={state?.isBusy ?? false}
      dataSource={lines}
      rowKey={keyOf}
      pagination={false}
      // No content makes a column wider, so that none pushes the actions out of sight.
      tableLayout="fixed"
      rowClassName={classOf}
      {...(selection
        ? {
            rowSelection: {
              columnWidth: selectionWidth,
              selectedRowKeys: selection.selected.map(({ id }) => id),
              onChange: (_keys, chosen) =>
                selection.choose(chosen.flatMap((line) => ('row' in line ? [line.row] : []))),
              getTitleCheckboxProps: () => ({ 'aria-label': t('list.selectAll') }),
              getCheckboxProps: (line) =>
                'row' in line
                  ? {
                      'aria-label': t('list.select', { name: selection.nameOf(line.row) }),
                      disabled: !selection.selectable.includes(line.row),
                    }
                  : {},
            },
          }
        : {})}
      columns={[
        ...columns.map(({ key, title, render, sort }, index) => ({
          key,
          title: sort && state ? <SortHeader title={title} column={sort} order={state.order} /> : title,
          width: widths.columns[index] ?? 0,
          ...(sort && state
            ? { onHeaderCell: () => ({ 'aria-sort': directionOf(sort, state.order.current) }) }
            : {}),
          onCell: (line: Line<Row>) => ('row' in line ? {} : { colSpan: spanOf(index) }),
          render: (_: unknown, line: Line<Row>) => {
            if ('row' in line) return render(line.row, 'table');
            if (index === 0) return grouping?.title(line.groupId);
            return index === extraAt ? grouping?.extra(line.groupId) : null;
          },
        })),
        {
          key: 'actions',
          title: t('list.rowActions'),
          width: widths.actions,
          align: 'right',
          className: styles.actions ?? '',
          render: (_: unknown, line: Line<Row>) =>
            'row' in line && <RowActions actions={shape.actions(line.row)} place="table" />,
        },
      ]}
    />
  );
}
