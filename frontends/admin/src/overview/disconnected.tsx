import { ProxyStatus } from '@talpa/panel-features/proxy-status';
import { adminProxiesQuery, pageQuery } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { pages } from '../pages.ts';
import { userPath } from '../paths.ts';
import styles from './overview.module.css';
import { useOverviewTexts } from './texts.ts';

const shownAtMost = 5;

/** Proxies of all users without a connector. */
export function Disconnected() {
  const t = useOverviewTexts();
  const { refetchOnWindowFocus } = adminProxiesQuery;
  const proxies = useQuery({
    ...pageQuery(
      'GET /api/admin/tunnel-configs',
      { status: 'inactive', limit: shownAtMost },
      { language: 'de' },
    ),
    refetchOnWindowFocus,
  });
  const { data } = proxies;
  return (
    <Panel
      title={t('disconnected')}
      footer={
        data?.next ? <Link to={`${pages.proxies.path}?status=inactive`}>{t('disconnected.all')}</Link> : null
      }
    >
      {proxies.isPending && <Skeleton active paragraph={{ rows: 2 }} />}
      {proxies.isError && !data && (
        <ErrorCard
          title={t('disconnected.failed')}
          error={proxies.error}
          retry={() => void proxies.refetch()}
          retrying={proxies.isFetching}
        />
      )}
      {data?.rows.length === 0 && <p className={styles.quiet}>{t('disconnected.none')}</p>}
      {data && data.rows.length > 0 && (
        <ul className={styles.rows}>
          {data.rows.map((proxy) => (
            <li key={proxy.id} className={styles.row}>
              <span className={styles.what}>
                <Link to={`/tunnel-configuration/${proxy.id}`}>{proxy.serverName}</Link>
                {proxy.ownerName && (
                  <Link className={styles.owner ?? ''} to={userPath(proxy.userId)}>
                    {proxy.ownerName}
                  </Link>
                )}
              </span>
              <ProxyStatus proxy={proxy} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
