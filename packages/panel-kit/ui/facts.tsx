import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** A name and its value, and what is said below the name; one without a value is left out. */
export type Fact = readonly [name: string, value: ReactNode, detail?: string];

/**
 * Names and values. `lines`: the name at the left edge, the value at the right one; `framed`: the same, with lines
 * between; `table`: the names in a column of their own; `tiles`: the value below its name, side by side with others; `columns`: the same in small;
 * `inline`: one after the other, as in a sentence.
 */
export function Facts(props: {
  readonly facts: readonly Fact[];
  readonly as?: 'lines' | 'framed' | 'table' | 'tiles' | 'columns' | 'inline';
}) {
  const { facts, as = 'lines' } = props;
  return (
    <dl className={`${styles.facts} ${styles[as]}`}>
      {facts.map(
        ([name, value, detail]) =>
          value != null &&
          value !== '' && (
            <div key={name}>
              <dt>
                {name}
                {detail && <span className={styles.detail}>{detail}</span>}
              </dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
