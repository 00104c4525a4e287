import { AuditPanel } from './audit-panel.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import styles from './settings.module.css';

/** How the user signs in, where they are signed in, and what has been done. */
export function SecurityTab() {
  return (
    <div className={styles.stack}>
      <SecondFactorPanel />
      <PasskeysPanel />
      <SessionsPanel />
      <AuditPanel />
    </div>
  );
}
