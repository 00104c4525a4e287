import { AuditPanel } from './audit-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import styles from './settings.module.css';

/** Where one is signed in, and what has been done. */
export function SecurityTab() {
  return (
    <div className={styles.stack}>
      <SessionsPanel />
      <AuditPanel />
    </div>
  );
}
