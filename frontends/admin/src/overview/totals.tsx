import { formatCount, panelConfig, systemQuery } from '@talpa/panel-kit/core';
import { Facts, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useOverviewTexts } from './texts.ts';

/** What the dashboard's cards say to every user, where the operator has switched these off. */
export function Totals() {
  const t = useOverviewTexts();
  const { data } = useQuery(systemQuery);
  if (panelConfig().showTotals) return null;
  const said = (count: number | undefined) => (count === undefined ? '–' : formatCount(count, 'de'));
  const facts = [
    [t('totals.users'), said(data?.totals?.totalUsers)],
    [t('totals.proxies'), said(data?.totals?.totalProxies)],
    [t('totals.active'), said(data?.totals?.activeProxies)],
  ] as const;
  return (
    <Panel title={t('totals')}>
      <Facts facts={facts} as="tiles" />
    </Panel>
  );
}
