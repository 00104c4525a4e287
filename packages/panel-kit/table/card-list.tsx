import type { ReactNode } from 'react';
import styles from './card-list.module.css';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

/** The same rows on a narrow screen: a card each. */
export function CardList<Row extends { readonly id: number }>(props: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly title: (row: Row) => ReactNode;
  readonly extra?: (row: Row) => ReactNode;
  readonly facts: (row: Row) => readonly Fact[];
  readonly actions: (row: Row) => ReactNode;
}) {
  return (
    <ul className={styles.list} aria-label={props.label}>
      {props.rows.map((row) => (
        <li key={row.id} className={styles.card}>
          <div className={styles.head}>
            <strong className={styles.title}>{props.title(row)}</strong>
            {props.extra?.(row)}
          </div>
          <dl className={styles.facts}>
            {props.facts(row).map((fact) => (
              <div key={fact.label} className={styles.fact}>
                <dt>{fact.label}</dt>
                <dd>{fact.value}</dd>
              </div>
            ))}
          </dl>
          <div className={styles.actions}>{props.actions(row)}</div>
        </li>
      ))}
    </ul>
  );
}
