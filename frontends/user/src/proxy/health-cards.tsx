import type { ProxyConfig } from '@talpa/contracts';
import { proxyHealthQuery } from '@talpa/panel-kit/core';
import { Columns, ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useUserTexts } from '../texts/user-texts.ts';
import { ConnectorFacts } from './connector-facts.tsx';
import { OriginFacts } from './origin-facts.tsx';
import { OriginProblemAlert } from './origin-problem-alert.tsx';
import { StaleNote } from './stale-note.tsx';
import { UptimeCard } from './uptime-card.tsx';

/** Events arrive as they happen; what goes on without a change is fetched this often, in ms. */
const lookMs = 30_000;

/** The two ends of a proxy's tunnel, and how long visitors got through. */
export function HealthCards(props: { readonly proxy: ProxyConfig; readonly onEdit: () => void }) {
  const { proxy, onEdit } = props;
  const t = useUserTexts();
  const health = useQuery({ ...proxyHealthQuery(proxy.id), refetchInterval: lookMs });
  if (!health.data && health.isError)
    return (
      <Panel flush>
        <ErrorCard
          title={t('proxy.healthFailed')}
          error={health.error}
          retry={() => void health.refetch()}
          retrying={health.isFetching}
        />
      </Panel>
    );
  if (!health.data) return <Waiting />;
  const { connector, origin, uptime } = health.data;
  return (
    <>
      <Columns>
        <Panel title={t('proxy.connector')} extra={<StaleNote query={health} />}>
          <ConnectorFacts connector={connector} of={proxy} />
        </Panel>
        <Panel title={t('proxy.origin')}>
          {origin && <OriginProblemAlert problem={origin.problem} proxy={proxy} onEdit={onEdit} />}
          <OriginFacts origin={origin} proxy={proxy} isConnected={Boolean(connector?.connectedSince)} />
        </Panel>
      </Columns>
      <UptimeCard uptime={uptime} />
    </>
  );
}

/** As high as what comes, so that nothing jumps. */
function Waiting() {
  const t = useUserTexts();
  const rows = (count: number) => <Skeleton active title={false} paragraph={{ rows: count }} />;
  return (
    <>
      <Columns>
        <Panel title={t('proxy.connector')}>{rows(4)}</Panel>
        <Panel title={t('proxy.origin')}>{rows(4)}</Panel>
      </Columns>
      <Panel title={t('proxy.uptime')}>{rows(8)}</Panel>
    </>
  );
}
