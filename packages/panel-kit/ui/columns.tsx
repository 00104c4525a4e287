import type { ReactNode } from 'react';
import styles from './columns.module.css';

/** Parts of a page side by side where there is room, those in a row of one height. */
export function Columns(props: { readonly count?: 2 | 3; readonly children: ReactNode }) {
  return (
    <div className={styles.columns} data-count={props.count ?? 2}>
      {props.children}
    </div>
  );
}
