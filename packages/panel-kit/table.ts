// Shared once in the browser, loaded with the pages that show lists. See ui.ts.
export { anId, oneOf } from './table/address.ts';
export { ListFrame } from './table/list-frame.tsx';
export { LongText } from './table/long-text.tsx';
export { PageFrame } from './table/page-frame.tsx';
export { pageOf } from './table/page-of.ts';
export { RowList } from './table/row-list.tsx';
export type { Column, Grouping, Place, RowAction, RowMenu, RowShape } from './table/rows.ts';
export { type Changed, useChanged } from './table/use-changed.ts';
export { type ListAddress, useListAddress } from './table/use-list.ts';
export { useSelection } from './table/use-selection.ts';
