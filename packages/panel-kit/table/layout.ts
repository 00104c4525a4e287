import { type RefObject, useLayoutEffect, useState } from 'react';
import { useMedia } from '../core/media.ts';
import { type Column, inTable, type RowShape } from './rows.ts';

/** How a list's rows are shown in the width it has: each column's width in px, or null for cards. */
export interface Layout {
  readonly table: { readonly columns: readonly number[]; readonly actions: number } | null;
}

const cards: Layout = { table: null };
export const selectionWidth = 48;
/** See `row-actions.module.css`. */
const buttonWidth = 32;
/** Beside the buttons: the cell's padding. */
const actionsPadding = 22;
/** The column's heading. */
const leastActions = 80;

/**
 * Shares a list's width among its columns. The actions have all the room they need; where the other columns would
 * get less than they can be read in, there is no table.
 */
export function layoutOf(
  columns: readonly Pick<Column<never>, 'min' | 'grow'>[],
  {
    width,
    actions,
    selects,
  }: { readonly width: number; readonly actions: number; readonly selects: boolean },
): Layout {
  const actionsWidth = Math.max(actions * buttonWidth, actions > 0 ? leastActions : 0) + actionsPadding;
  const taken = columns.reduce((sum, { min }) => sum + min, actionsWidth + (selects ? selectionWidth : 0));
  const left = Math.floor(width) - taken;
  if (left < 0) return cards;
  const parts = columns.reduce((sum, { grow = 0 }) => sum + grow, 0) || 1;
  return {
    table: {
      columns: columns.map(({ min, grow = 0 }) => min + (left * grow) / parts),
      actions: actionsWidth,
    },
  };
}

/**
 * The layout of a list in the width of what is around it: the window says little, with the sidebar open or
 * not. Fingers get cards, whose buttons are large and named. Null until the width is known, before it is painted.
 */
export function useLayout<Row>(
  around: RefObject<HTMLElement | null>,
  list: { readonly shape: RowShape<Row>; readonly rows: readonly Row[]; readonly selects: boolean },
): Layout | null {
  const width = useWidth(around);
  const isTouch = useMedia('(pointer: coarse)');
  if (width === null) return null;
  if (isTouch) return cards;
  const actions = Math.max(0, ...list.rows.map((row) => list.shape.actions(row).length));
  return layoutOf(inTable(list.shape.columns), { width, actions, selects: list.selects });
}

function useWidth(element: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    // What is hidden has no width of its own.
    const measure = () => current.clientWidth > 0 && setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
