import { lazyPage } from '@talpa/panel-kit/core';
import { LazyPart, Skeleton } from '@talpa/panel-kit/ui';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import styles from './settings.module.css';

/** Loaded after the page, so that the page shows sooner. */
const IdentitiesPanel = lazyPage(() =>
  import('./identities-panel.tsx').then((module) => module.IdentitiesPanel),
);
const ApiKeysPanel = lazyPage(() =>
  import('../api-keys/api-keys-panel.tsx').then((module) => module.ApiKeysPanel),
);
const EnrolmentKeysPanel = lazyPage(() =>
  import('../servers/keys-panel.tsx').then((module) => module.EnrolmentKeysPanel),
);
const AuditPanel = lazyPage(() => import('./audit-panel.tsx').then((module) => module.AuditPanel));

/** Loads the tab's code before it is opened, so that it opens without a connection, too. */
export function loadSecurityTab(): void {
  IdentitiesPanel.loadAhead();
  ApiKeysPanel.loadAhead();
  EnrolmentKeysPanel.loadAhead();
  AuditPanel.loadAhead();
}

/** How the user signs in, where they are signed in, and what has been done. */
export function SecurityTab() {
  return (
    <div className={styles.stack}>
      <SecondFactorPanel />
      <PasskeysPanel />
      <LazyPart>
        <IdentitiesPanel />
      </LazyPart>
      <LazyPart fallback={<Skeleton active paragraph={{ rows: 3 }} />}>
        <ApiKeysPanel />
      </LazyPart>
      <LazyPart>
        <EnrolmentKeysPanel />
      </LazyPart>
      <SessionsPanel />
      <LazyPart fallback={<Skeleton active paragraph={{ rows: 3 }} />}>
        <AuditPanel />
      </LazyPart>
    </div>
  );
}
