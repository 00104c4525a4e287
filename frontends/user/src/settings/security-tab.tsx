import { lazyPage } from '@talpa/panel-kit/core';
import { LazyPart, Skeleton } from '@talpa/panel-kit/ui';
import { AuditPanel } from './audit-panel.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import styles from './settings.module.css';

/** Loaded after the page, so that the page shows sooner. */
const SecondFactorPanel = lazyPage(() =>
  import('./second-factor-panel.tsx').then((module) => module.SecondFactorPanel),
);
const IdentitiesPanel = lazyPage(() =>
  import('./identities-panel.tsx').then((module) => module.IdentitiesPanel),
);
const ApiKeysPanel = lazyPage(() =>
  import('../api-keys/api-keys-panel.tsx').then((module) => module.ApiKeysPanel),
);

/** Loads the tab's code before it is opened, so that it opens without a connection, too. */
export function loadSecurityTab(): void {
  SecondFactorPanel.loadAhead();
  IdentitiesPanel.loadAhead();
  ApiKeysPanel.loadAhead();
}

/** How the user signs in, where they are signed in, and what has been done. */
export function SecurityTab() {
  return (
    <div className={styles.stack}>
      <LazyPart fallback={<Skeleton active paragraph={{ rows: 3 }} />}>
        <SecondFactorPanel />
      </LazyPart>
      <PasskeysPanel />
      <LazyPart>
        <IdentitiesPanel />
      </LazyPart>
      <LazyPart fallback={<Skeleton active paragraph={{ rows: 3 }} />}>
        <ApiKeysPanel />
      </LazyPart>
      <SessionsPanel />
      <AuditPanel />
    </div>
  );
}
