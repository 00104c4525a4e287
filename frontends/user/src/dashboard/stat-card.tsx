import { Panel } from '@talpa/panel-kit/ui';
import type { ReactNode } from 'react';
import styles from './dashboard.module.css';

/** One figure with what it means. */
export function StatCard(props: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly value: ReactNode;
  readonly hint: ReactNode;
  readonly mark?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <Panel title={props.title} icon={props.icon} extra={props.mark} className={styles.card}>
      <div className={styles.body}>
        <div>
          <div className={styles.value}>{props.value}</div>
          <div className={styles.hint}>{props.hint}</div>
        </div>
        {props.children && <div className={styles.extra}>{props.children}</div>}
      </div>
    </Panel>
  );
}
