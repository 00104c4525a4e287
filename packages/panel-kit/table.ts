// Shared once in the browser, loaded with the pages that show lists. See ui.ts.
export { CardList } from './table/card-list.tsx';
export { type Column, DataTable } from './table/data-table.tsx';
