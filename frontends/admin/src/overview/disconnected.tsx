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

const queryOf = (status: 'error' | 'inactive') => ({
  ...pageQuery('GET /api/admin/tunnel-configs', { status, limit: shownAtMost }, { language: 'de' }),
  refetchOnWindowFocus: adminProxiesQuery.refetchOnWindowFocus,
});

/** Proxies of all users without a connector; first those that cannot have one. */
export function Disconnected() {
  const t = useOverviewTexts();
  const [failing, waiting] = [useQuery(queryOf('error')), useQuery(queryOf('inactive'))];
  const proxies = failing.isError ? failing : waiting;
  const isKnown = failing.data !== undefined && waiting.data !== undefined;
  const all = isKnown ? [...failing.data.rows, ...waiting.data.rows] : [];
  const rows = all.slice(0, shownAtMost);
  const status = failing.data?.rows.length === shownAtMost ? 'error' : 'inactive';
  const hasMore = all.length > shownAtMost || Boolean(failing.data?.next ?? waiting.data?.next);
  return (
    <Panel
      title={t('disconnected')}
      footer={
        hasMore ? <Link to={`${pages.proxies.path}?status=${status}`}>{t('disconnected.all')}</Link> : null
      }
    >
      {!isKnown && !proxies.isError && <Skeleton active paragraph={{ rows: 2 }} />}
      {proxies.isError && !isKnown && (
        <ErrorCard
          title={t('disconnected.failed')}
          error={proxies.error}
          retry={() => void proxies.refetch()}
          retrying={proxies.isFetching}
        />
      )}
      {isKnown && rows.length === 0 && <p className={styles.quiet}>{t('disconnected.none')}</p>}
      {rows.length > 0 && (
        <ul className={styles.rows}>
          {rows.map((proxy) => (
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
