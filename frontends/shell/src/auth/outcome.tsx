import { Alert, LinkButton } from '@talpa/panel-kit/ui';
import type { ReactNode } from 'react';
import styles from './auth-page.module.css';

/** What has come of a form or a link, and where to go from there. */
export function Outcome(props: {
  readonly type: 'success' | 'error';
  readonly title: string;
  readonly text: ReactNode;
  readonly to: string;
  /** What stands on the link. */
  readonly next: string;
}) {
  const { type } = props;
  return (
    <>
      <Alert
        type={type}
        showIcon
        title={props.title}
        description={props.text}
        role={type === 'success' ? 'status' : 'alert'}
      />
      <div className={styles.actions}>
        <LinkButton to={props.to}>{props.next}</LinkButton>
      </div>
    </>
  );
}
