import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Where a value is shown: in a cell, where there is little room, or on a card. */
export type Place = 'table' | 'card';

/** A value of each row. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly render: (row: Row, place: Place) => ReactNode;
  /** The least width in which it can be read, in px; with fewer for all of them the rows are cards. */
  readonly min: number;
  /** Its part of the width that is left over; none when left out. */
  readonly grow?: number;
  /** The order its heading sorts by. */
  readonly sort?: string;
  /** Its part of a card: one of the facts when left out. `only`: a fact that a table shows in another column. */
  readonly onCard?: 'title' | 'extra' | 'only';
}

/** The columns of a table. */
export const inTable = <Row>(columns: readonly Column<Row>[]) =>
  columns.filter(({ onCard }) => onCard !== 'only');

interface RowButton {
  readonly key: string;
  readonly text: string;
  /** Of the same, what a card has room for. */
  readonly short?: string | undefined;
  /** With the row's name, for those who do not see which row it stands in. */
  readonly name: string;
  readonly Icon: LucideIcon;
}

/** An action of a row. */
export interface RowAction extends RowButton {
  /** Why it is disabled. */
  readonly why?: string | undefined;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly danger?: boolean;
}

/** The actions of a row that are needed seldom, behind a button of their own. */
export interface RowMenu extends RowButton {
  readonly menu: readonly RowAction[];
}

/** What brings rows together, and what is said of them above. */
export interface Grouping<Row> {
  /** Null: the row stands alone. */
  readonly idOf: (row: Row) => number | null;
  readonly title: (id: number) => ReactNode;
  /** In the column, or the part of a card, that is `extra`. */
  readonly extra: (id: number) => ReactNode;
}

/** What the rows of a list are made of, as a table and as cards. */
export interface RowShape<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly actions: (row: Row) => readonly (RowAction | RowMenu)[];
  /** Not for rows that can be chosen. */
  readonly grouping?: Grouping<Row> | undefined;
}

/** Rows that stand together; `id` is null for one alone. */
export interface RowGroup<Row> {
  readonly id: number | null;
  readonly rows: readonly Row[];
}

/** The rows of a page in groups, each at the place of its first row; inside, the order stays. */
export function inGroups<Row>(
  rows: readonly Row[],
  grouping: RowShape<Row>['grouping'],
): readonly RowGroup<Row>[] {
  const groups: { readonly id: number | null; readonly rows: Row[] }[] = [];
  for (const row of rows) {
    const id = grouping?.idOf(row) ?? null;
    const group = id === null ? undefined : groups.find((one) => one.id === id);
    if (group) group.rows.push(row);
    else groups.push({ id, rows: [row] });
  }
  return groups;
}

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
