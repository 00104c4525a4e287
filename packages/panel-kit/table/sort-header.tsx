import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import styles from './list.module.css';
import { nextOrder, type RowsState } from './rows.ts';

/** A column's heading that sorts by it. */
export function SortHeader(props: {
  readonly title: string;
  readonly column: string;
  readonly order: RowsState<never>['order'];
}) {
  const t = useKitTexts();
  const { current, sortBy } = props.order;
  const direction = directionOf(props.column, current);
  const Icon = direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ChevronsUpDown;
  return (
    <button
      type="button"
      className={styles.sort}
      title={t('list.sortBy', { column: props.title })}
      onClick={() => sortBy(nextOrder(props.column, current))}
    >
      {props.title}
      <Icon size={14} aria-hidden />
    </button>
  );
}

/** What `aria-sort` says of a column. */
export function directionOf(column: string, current: string): 'ascending' | 'descending' | 'none' {
  if (current === column) return 'ascending';
  return current === `-${column}` ? 'descending' : 'none';
}
