import type { ProxyConfig } from '@talpa/contracts';
import { includesRole, roleOf } from '@talpa/contracts/roles';
import {
  mayDo,
  PausedAlert,
  type ProxyAction,
  ProxyActionButton,
  ProxyAddress,
  ProxyStatus,
  pauseAction,
  SuspendedAlert,
  suspensionAction,
  useProxyDialogs,
} from '@talpa/panel-features/proxies';
import {
  ApiError,
  lazyPage,
  panelConfig,
  proxyEventsQuery,
  proxyQuery,
  useHeadOf,
  useKitTexts,
  useUser,
} from '@talpa/panel-kit/core';
import { Navigate, useParams, useSearchParams } from '@talpa/panel-kit/router';
import {
  BackLink,
  EmptyState,
  ErrorCard,
  LazyPart,
  Page,
  Panel,
  Skeleton,
  TabLinks,
} from '@talpa/panel-kit/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Cable } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useListPath } from '../list-path.ts';
import { AccessEnded, hasEnded, untilEnd } from '../members/ended.tsx';
import { pages } from '../pages.ts';
import { type ProxyTab, proxyPath, proxyTabs } from '../proxy-path.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import { lackOf } from './connect-notice.tsx';
import { EventsCard } from './events-card.tsx';
import { GamePortsPart } from './game-ports-part.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { ProxyOwner } from './owner.tsx';
import styles from './proxy.module.css';
import { SettingsTab } from './settings-tab.tsx';
import { StaleNote } from './stale-note.tsx';

/** Each is loaded with its tab. */
const AccessPanel = lazyPage(() => import('../access/access-panel.tsx').then((module) => module.AccessPanel));
const RequestsPanel = lazyPage(() =>
  import('../requests/requests-panel.tsx').then((module) => module.RequestsPanel),
);
const DomainsPanel = lazyPage(() =>
  import('../domains/domains-panel.tsx').then((module) => module.DomainsPanel),
);
const MembersPanel = lazyPage(() =>
  import('../members/members-panel.tsx').then((module) => module.MembersPanel),
);

/** One proxy, in tabs. The tab stands in the address. */
export function ProxyPage() {
  const t = useUserTexts();
  const head = useHeadOf(pages.proxy);
  const client = useQueryClient();
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const tab = search.get('tab');
  const proxy = useQuery({
    ...proxyQuery(Number(id)),
    refetchInterval: ({ state }) => state.status === 'success' && untilEnd(state.data),
  });
  const listPath = useListPath(proxy.data);
  const [isDeleting, setDeleting] = useState(false);
  const { open, close, isOpen, dialogs } = useProxyDialogs(proxy.data && [proxy.data], {
    onDelete: () => setDeleting(true),
    onClosed: ({ id: shown }) => void client.invalidateQueries(proxyQuery(shown)),
  });
  // Going back to another tab leaves what was opened on this one.
  useEffect(close, [tab]);
  const isGone = proxy.error instanceof ApiError && [400, 404].includes(proxy.error.status);
  if (isGone && isDeleting) return <Navigate to={listPath} replace />;
  if (isGone && proxy.data && hasEnded(proxy.data)) return <AccessEnded proxy={proxy.data} />;
  // An open form says by itself that its proxy is gone, and keeps what was typed in sight.
  if (isGone && !isOpen) return <Gone shown={proxy.data ?? null} />;
  if (proxy.data)
    return (
      <Shown
        proxy={proxy.data}
        tab={tab}
        note={<StaleNote query={proxy} />}
        onAction={(action) => proxy.data && open(action, proxy.data)}
        dialogs={dialogs}
      />
    );
  return (
    <Page {...head} back={<Back />}>
      <Panel flush>
        {proxy.isError ? (
          <ErrorCard
            title={t('proxy.loadFailed')}
            error={proxy.error}
            retry={() => void proxy.refetch()}
            retrying={proxy.isFetching}
          />
        ) : (
          <Skeleton active className={styles.skeleton ?? ''} paragraph={{ rows: 6 }} />
        )}
      </Panel>
    </Page>
  );
}

/** There is no such proxy. @param props.shown what was shown here a moment ago; null: nothing */
function Gone({ shown }: { readonly shown: ProxyConfig | null }) {
  const head = useHeadOf(pages.proxy);
  return (
    <Page title={shown?.serverName ?? head.title}>
      <Panel flush>
        <div role="alert">
          <EmptyState icon={<Cable size={22} aria-hidden />} {...useWhyGone(shown)} action={<Back />} />
        </div>
      </Panel>
    </Page>
  );
}

function useWhyGone(shown: ProxyConfig | null): { readonly title: string; readonly text: string } {
  const t = useUserTexts();
  const kit = useKitTexts();
  if (!shown) return { title: t('proxy.notFound'), text: t('proxy.notFound.text') };
  const name = shown.serverName;
  return { title: kit('gone.title'), text: t('proxy.gone.text', { name }) };
}

function Back({ from }: { readonly from?: ProxyConfig }) {
  const t = useUserTexts();
  const listPath = useListPath(from);
  return <BackLink to={listPath} text={t('proxy.back')} />;
}

function Shown(props: {
  readonly proxy: ProxyConfig;
  /** The one that the address names. */
  readonly tab: string | null;
  /** That it could not be fetched again. */
  readonly note: ReactNode;
  readonly onAction: (action: ProxyAction) => void;
  readonly dialogs: ReactNode;
}) {
  const t = useUserTexts();
  const { proxy, onAction } = props;
  const { isAdmin } = useUser();
  const tabs = tabsOf(proxy);
  const current = tabs.find((one) => one === props.tab) ?? 'overview';
  const nameOf = useTabName();
  const suspension = suspensionAction(proxy);
  const button = (action: ProxyAction) => (
    <ProxyActionButton proxy={proxy} action={action} withIcon onClick={() => onAction(action)} />
  );
  // The notice of the first tab leads there, too.
  const isInNotice = current === 'overview' && lackOf(proxy) !== null;
  return (
    <Page
      back={<Back from={proxy} />}
      title={proxy.serverName}
      {...(current === 'overview' ? {} : { name: `${nameOf(current)} · ${proxy.serverName}` })}
      status={<ProxyStatus proxy={proxy} />}
      subtitle={
        <span className={styles.subtitle}>
          <ProxyAddress proxy={proxy} />
          <ProxyOwner proxy={proxy} />
          {props.note}
        </span>
      }
      actions={
        <>
          {!isInNotice && mayDo(proxy, 'install') && button('install')}
          {/* The settings have it beside what it edits. */}
          {current !== 'settings' && mayDo(proxy, 'edit') && button('edit')}
          {/* The notice of a pause has it, where there is one. */}
          {(!proxy.paused || proxy.suspension) && mayDo(proxy, 'pause') && button(pauseAction(proxy))}
          {isAdmin && button(suspension)}
        </>
      }
    >
      <SuspendedAlert proxy={proxy} />
      <PausedAlert proxy={proxy} onAction={onAction} />
      <TabLinks
        label={t('proxy.tabs', { name: proxy.serverName })}
        tabs={tabs.map((tab) => ({
          to: proxyPath(proxy.id, tab),
          label: nameOf(tab),
          isCurrent: tab === current,
        }))}
      />
      <LazyPart key={current} fallback={<TabOnItsWay />}>
        <Tab tab={current} proxy={proxy} onAction={onAction} />
      </LazyPart>
      {props.dialogs}
    </Page>
  );
}

/** The tabs that the reader of a proxy has. */
const tabsOf = (proxy: ProxyConfig): readonly ProxyTab[] =>
  proxyTabs.filter((tab) => tab !== 'requests' || includesRole(roleOf(proxy), 'manage'));

function useTabName(): (tab: ProxyTab) => string {
  const t = useUserTexts();
  const { gamePorts } = panelConfig();
  return (tab) => t(tab === 'domains' && !gamePorts ? 'proxy.tab.domainsOnly' : `proxy.tab.${tab}`);
}

function ProxyEvents({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useUserTexts();
  return (
    <EventsCard
      events={useQuery(proxyEventsQuery(proxy.id))}
      owner={proxy}
      empty={t('proxy.events.none.text')}
    />
  );
}

function TabOnItsWay() {
  return (
    <Panel>
      <Skeleton active paragraph={{ rows: 4 }} />
    </Panel>
  );
}

/** What a tab shows; the others ask for nothing. */
function Tab(props: {
  readonly tab: ProxyTab;
  readonly proxy: ProxyConfig;
  readonly onAction: (action: ProxyAction) => void;
}) {
  const { tab, proxy, onAction } = props;
  const on = (action: ProxyAction) => () => onAction(action);
  switch (tab) {
    case 'overview':
      return (
        <OverviewTab
          proxy={proxy}
          onRecreate={on('recreate')}
          onInstall={on('install')}
          onEdit={on('edit')}
        />
      );
    case 'access':
      return <AccessPanel proxy={proxy} />;
    case 'domains':
      return (
        <>
          <DomainsPanel proxy={proxy} />
          <GamePortsPart proxy={proxy} />
        </>
      );
    case 'members':
      return <MembersPanel proxy={proxy} />;
    case 'requests':
      return <RequestsPanel proxyId={proxy.id} />;
    case 'history':
      return <ProxyEvents proxy={proxy} />;
    case 'settings':
      return (
        <SettingsTab proxy={proxy} onEdit={on('edit')} onRecreate={on('recreate')} onDelete={on('delete')} />
      );
  }
}
