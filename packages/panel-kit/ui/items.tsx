import type { ReactNode } from 'react';
import { type Fact, Facts } from './facts.tsx';
import styles from './items.module.css';
import { ErrorCard } from './notice.tsx';
import { Panel } from './page.tsx';
import { Skeleton } from './skeleton.tsx';

/** What a panel needs of a query. */
interface Fetched<T> {
  readonly data: readonly T[] | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  refetch(): unknown;
}

/** A few things that belong to somebody: what they are for, the list, and what stands in its place. */
export function ItemsPanel<T>(props: {
  readonly title: string;
  readonly extra?: ReactNode;
  readonly text: ReactNode;
  readonly query: Fetched<T>;
  /** The title of the error. */
  readonly failed: string;
  /** Said where there is none; left out: nothing. */
  readonly empty?: string;
  readonly row: (item: T) => ReactNode;
  /** Above the list. */
  readonly notice?: ReactNode;
  /** Below it. */
  readonly children?: ReactNode;
}) {
  const { title, query, empty } = props;
  const { data, error, isPending, isFetching } = query;
  return (
    <Panel title={title} extra={props.extra}>
      <p className={styles.text}>{props.text}</p>
      {props.notice}
      {isPending && <Skeleton active paragraph={{ rows: 2 }} />}
      {error != null && (
        <ErrorCard
          title={props.failed}
          error={error}
          retry={() => void query.refetch()}
          retrying={isFetching}
        />
      )}
      {data?.length === 0 && empty && <p className={styles.empty}>{empty}</p>}
      {data && data.length > 0 && (
        <ul className={styles.list} aria-label={title} data-list>
          {data.map(props.row)}
        </ul>
      )}
      {props.children}
    </Panel>
  );
}

/** One of them: its name, what is said of it, and what can be done with it. */
export function ItemRow(props: {
  readonly id: number | string;
  readonly icon: ReactNode;
  /** Its name, in `strong`, and what marks it. */
  readonly head: ReactNode;
  readonly facts: readonly Fact[];
  /** Many facts: each name above its value, below those of the item before. */
  readonly inColumns?: boolean;
  readonly actions?: ReactNode;
}) {
  return (
    <li className={`${styles.row} ${props.inColumns ? styles.inColumns : ''}`} data-row-key={props.id}>
      <span className={styles.icon}>{props.icon}</span>
      <div className={styles.what}>
        <div className={styles.head}>{props.head}</div>
        <Facts facts={props.facts} as={props.inColumns ? 'columns' : 'inline'} />
      </div>
      {props.actions && <div className={styles.actions}>{props.actions}</div>}
    </li>
  );
}
