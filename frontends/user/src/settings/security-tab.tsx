import { lazyPage } from '@talpa/panel-kit/core';
import { Skeleton } from '@talpa/panel-kit/ui';
import { Suspense } from 'react';
import { AuditPanel } from './audit-panel.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import styles from './settings.module.css';

/** Loaded with their tab: those who change their password do not need them. */
const IdentitiesPanel = lazyPage(() =>
  import('./identities-panel.tsx').then((module) => module.IdentitiesPanel),
);
const ApiKeysPanel = lazyPage(() =>
  import('../api-keys/api-keys-panel.tsx').then((module) => module.ApiKeysPanel),
);

/** How the user signs in, where they are signed in, and what has been done. */
export function SecurityTab() {
  return (
    <div className={styles.stack}>
      <SecondFactorPanel />
      <PasskeysPanel />
      <Suspense fallback={null}>
        <IdentitiesPanel />
      </Suspense>
      <Suspense fallback={<Skeleton active paragraph={{ rows: 3 }} />}>
        <ApiKeysPanel />
      </Suspense>
      <SessionsPanel />
      <AuditPanel />
    </div>
  );
}
