import { Panel } from '@talpa/panel-kit/ui';
import type { ReactNode } from 'react';
import styles from './dashboard.module.css';

/** One figure, and beside it what it means. */
export function StatCard(props: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly value: ReactNode;
  readonly beside?: ReactNode;
  readonly hint: ReactNode;
  readonly mark?: ReactNode;
}) {
  return (
    <Panel title={props.title} icon={props.icon} extra={props.mark} className={styles.card}>
      <div className={styles.figure}>
        <div className={styles.value}>{props.value}</div>
        <div className={styles.hint}>{props.hint}</div>
        {props.beside}
      </div>
    </Panel>
  );
}
