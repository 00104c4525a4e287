import { Panel } from '@talpa/panel-kit/ui';
import type { ReactNode } from 'react';
import styles from './dashboard.module.css';

/** One figure with what it means, and beside it what the user can do about it. */
export function StatCard(props: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly value: ReactNode;
  readonly beside?: ReactNode;
  readonly hint: ReactNode;
  readonly mark?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <Panel title={props.title} icon={props.icon} extra={props.mark} className={styles.card}>
      <div className={styles.figure}>
        <div className={styles.value}>{props.value}</div>
        {props.beside}
      </div>
      <div className={styles.hint}>{props.hint}</div>
      {props.children}
    </Panel>
  );
}
