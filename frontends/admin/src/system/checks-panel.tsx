import { systemQuery } from '@talpa/panel-kit/core';
import { ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Checks } from './set-up.tsx';
import styles from './system.module.css';
import { useSystemTexts } from './texts.ts';

/** All that was checked, done or not. */
export function ChecksPanel() {
  const t = useSystemTexts();
  const system = useQuery(systemQuery);
  return (
    <Panel title={t('checks')} flush>
      {system.isPending && <Skeleton active className={styles.waiting ?? ''} paragraph={{ rows: 4 }} />}
      {system.isError && !system.data && (
        <ErrorCard
          title={t('checks.loadFailed')}
          error={system.error}
          retry={() => void system.refetch()}
          retrying={system.isFetching}
        />
      )}
      {system.data && <Checks checks={system.data.checks} />}
    </Panel>
  );
}
