import {
  Administration,
  canCreateQuery,
  panelConfig,
  proxiesQuery,
  proxyInvitationsQuery,
  statsQuery,
  systemQuery,
  useHeadOf,
} from '@talpa/panel-kit/core';
import { useNavigate } from '@talpa/panel-kit/router';
import { Columns, Loading, Page } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { type Added, askToAdd } from '../open-add.ts';
import { pages } from '../pages.ts';
import { PlanNotice, useEndNotice } from '../subscription/plan-notice.tsx';
import { useUserTexts } from '../texts/user-texts.ts';
import { OwnProxies } from './own-proxies.tsx';
import { PingCard } from './ping-card.tsx';
import { Invitations, SharedProxies } from './shared-proxies.tsx';
import { TotalsCards } from './totals-cards.tsx';

/** What has failed once is asked for again in its own place: not the whole page waits for it. */
const isFirstLoad = (query: { readonly isPending: boolean; readonly errorUpdateCount: number }) =>
  query.isPending && query.errorUpdateCount === 0;

/** The start page: the user's own proxies and what needs attention, then the system's figures. */
export function DashboardPage() {
  const t = useUserTexts();
  const head = useHeadOf(pages.dashboard);
  const navigate = useNavigate();
  const { showTotals } = panelConfig();
  const stats = useQuery({ ...statsQuery, enabled: showTotals });
  const quota = useQuery(canCreateQuery);
  const proxies = useQuery(proxiesQuery);
  const notice = useEndNotice();
  const administration = useContext(Administration);
  // These two stand above the rest, and must not push it down later.
  const system = useQuery({ ...systemQuery, enabled: administration !== null });
  const invitations = useQuery(proxyInvitationsQuery);
  const awaited = [
    ...(showTotals ? [stats] : []),
    ...(administration ? [system] : []),
    ...[invitations, quota, proxies],
  ];
  const add = (what: Added) => {
    askToAdd(what);
    navigate(pages.proxies.path);
  };
  return (
    <Page {...head}>
      {awaited.some(isFirstLoad) ? (
        <Loading text={t('dashboard.loading')} />
      ) : (
        <>
          <PlanNotice notice={notice} />
          {administration?.first}
          <Invitations />
          <OwnProxies onAdd={add} leadsToPlans={notice === null} />
          <SharedProxies />
          <Columns count={3}>
            {showTotals && <TotalsCards />}
            <PingCard />
          </Columns>
          {administration?.last}
        </>
      )}
    </Page>
  );
}
