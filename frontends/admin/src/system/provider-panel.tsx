import { providerFaultTexts } from '@talpa/contracts/provider-fault-texts';
import { formatTime, panelConfig, problemsQuery } from '@talpa/panel-kit/core';
import { ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './system.module.css';
import { useSystemTexts } from './texts.ts';

/** Who carries the tunnels, and what is wrong there. */
export function ProviderPanel() {
  const t = useSystemTexts();
  const { tunnelProvider } = panelConfig();
  const problems = useQuery(problemsQuery);
  return (
    <Panel title={t('provider')}>
      <p className={styles.provider}>{t(`provider.${tunnelProvider}`)}</p>
      {problems.isPending && <Skeleton active paragraph={{ rows: 1 }} />}
      {problems.isError && !problems.data && (
        <ErrorCard
          title={t('provider.loadFailed')}
          error={problems.error}
          retry={() => void problems.refetch()}
          retrying={problems.isFetching}
        />
      )}
      {problems.data?.length === 0 && <p className={styles.quiet}>{t('provider.well')}</p>}
      {problems.data && problems.data.length > 0 && (
        <ul className={styles.items}>
          {problems.data.map(({ fault, detail, since }) => (
            <li key={fault} className={styles.item}>
              <span>{providerFaultTexts[fault].de}</span>
              <span className={styles.detail}>
                {t('provider.since', { since: formatTime(since, 'de') })} {t('answer', { detail })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
