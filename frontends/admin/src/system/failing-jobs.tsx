import { operatorCommand } from '@talpa/contracts/operator-command';
import { deadLettersQuery, formatTime } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './system.module.css';
import { useSystemTexts } from './texts.ts';

/** Proxies whose tunnel the worker has given up to set up. */
export function FailingJobs() {
  const t = useSystemTexts();
  const jobs = useQuery(deadLettersQuery);
  return (
    <Panel title={t('jobs')}>
      {jobs.isPending && <Skeleton active paragraph={{ rows: 2 }} />}
      {jobs.isError && !jobs.data && (
        <ErrorCard
          title={t('jobs.loadFailed')}
          error={jobs.error}
          retry={() => void jobs.refetch()}
          retrying={jobs.isFetching}
        />
      )}
      {jobs.data?.length === 0 && <p className={styles.quiet}>{t('jobs.none')}</p>}
      {jobs.data && jobs.data.length > 0 && (
        <>
          <ul className={styles.items}>
            {jobs.data.map(({ proxyId, proxy, failures, deadLetterAt, detail }) => (
              <li key={proxyId} className={styles.item}>
                {proxy && !proxy.deleted ? (
                  <Link to={`/tunnel-configuration/${proxy.id}`}>{proxy.serverName}</Link>
                ) : (
                  <strong>{proxy?.serverName ?? t('jobs.unknown')}</strong>
                )}
                <span className={styles.detail}>
                  {t('jobs.since', { count: failures, time: formatTime(deadLetterAt, 'de') })}
                </span>
                <span className={styles.detail}>{t('answer', { detail })}</span>
              </li>
            ))}
          </ul>
          <p className={styles.sources}>
            <span className={styles.detail}>{t('jobs.retry')}</span>{' '}
            <code>{operatorCommand('dead-letters retry')}</code>
          </p>
        </>
      )}
    </Panel>
  );
}
