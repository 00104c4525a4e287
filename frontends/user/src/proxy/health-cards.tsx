import { proxyHealthQuery } from '@talpa/panel-kit/core';
import { ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useUserTexts } from '../texts/user-texts.ts';
import { ConnectorFacts } from './connector-facts.tsx';
import { OriginFacts } from './origin-facts.tsx';
import styles from './proxy.module.css';
import { UptimeBars } from './uptime-bars.tsx';

/** What happened is told as it happens; what went on without a change is looked at this often, in ms. */
const lookMs = 30_000;

/** The two ends of a proxy's tunnel, and how long visitors got through. */
export function HealthCards({ proxyId }: { readonly proxyId: number }) {
  const t = useUserTexts();
  const health = useQuery({ ...proxyHealthQuery(proxyId), refetchInterval: lookMs });
  if (!health.data)
    return (
      <Panel flush>
        {health.isError ? (
          <ErrorCard
            title={t('proxy.healthFailed')}
            error={health.error}
            retry={() => void health.refetch()}
            retrying={health.isFetching}
          />
        ) : (
          <Skeleton active className={styles.skeleton ?? ''} paragraph={{ rows: 5 }} />
        )}
      </Panel>
    );
  const { connector, origin, uptime } = health.data;
  return (
    <>
      <div className={styles.ends}>
        <Panel title={t('proxy.connector')}>
          <ConnectorFacts connector={connector} />
        </Panel>
        <Panel title={t('proxy.origin')}>
          <OriginFacts origin={origin} />
        </Panel>
      </div>
      <Panel title={t('proxy.uptime')} footer={t('proxy.uptime.hint')}>
        <div className={styles.spans}>
          <UptimeBars span={uptime.last24h} label={t('proxy.uptime.24h')} byHours />
          <UptimeBars span={uptime.last7d} label={t('proxy.uptime.7d')} />
          <UptimeBars span={uptime.last90d} label={t('proxy.uptime.90d')} />
        </div>
      </Panel>
    </>
  );
}
