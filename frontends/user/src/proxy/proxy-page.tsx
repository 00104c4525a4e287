import type { ProxyConfig } from '@talpa/contracts';
import { includesRole, roleOf } from '@talpa/contracts/roles';
import {
  mayDo,
  type ProxyAction,
  ProxyActionButton,
  ProxyAddress,
  ProxyStatus,
  SuspendedAlert,
  suspensionAction,
  useProxyDialogs,
} from '@talpa/panel-features/proxies';
import { ApiError, lazyPage, proxyQuery, useHeadOf, useKitTexts, useUser } from '@talpa/panel-kit/core';
import { Navigate, useParams } from '@talpa/panel-kit/router';
import { BackLink, EmptyState, ErrorCard, LazyPart, Page, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Cable } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { AccessEnded, hasEnded, untilEnd } from '../members/ended.tsx';
import { pages } from '../pages.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import { ConnectNotice, lackOf } from './connect-notice.tsx';
import { DangerZone } from './danger-zone.tsx';
import { EventsCard } from './events-card.tsx';
import { GamePortsPart } from './game-ports-part.tsx';
import { HealthCards } from './health-cards.tsx';
import { ProxyOwner } from './owner.tsx';
import styles from './proxy.module.css';
import { StaleNote } from './stale-note.tsx';
import { TrafficCard } from './traffic-card.tsx';

/** These are loaded after the page, so that the page shows sooner. */
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

/** The list that a proxy stands in: an administrator has come to another user's from the list of all. */
function useListPath(proxy: ProxyConfig | undefined): string {
  const { id: me, isAdmin } = useUser();
  return isAdmin && proxy && !proxy.membership && proxy.userId !== me ? '/admin/tunnel' : pages.proxies.path;
}

/** One proxy: how it is at both ends, how it was, what went through, and what happened to it. */
export function ProxyPage() {
  const t = useUserTexts();
  const head = useHeadOf(pages.proxy);
  const client = useQueryClient();
  const { id = '' } = useParams();
  const proxy = useQuery({
    ...proxyQuery(Number(id)),
    refetchInterval: ({ state }) => state.status === 'success' && untilEnd(state.data),
  });
  const listPath = useListPath(proxy.data);
  const [isDeleting, setDeleting] = useState(false);
  const { open, isOpen, dialogs } = useProxyDialogs(proxy.data && [proxy.data], {
    onDelete: () => setDeleting(true),
    onClosed: ({ id: shown }) => void client.invalidateQueries(proxyQuery(shown)),
  });
  const isGone = proxy.error instanceof ApiError && [400, 404].includes(proxy.error.status);
  if (isGone && isDeleting) return <Navigate to={listPath} replace />;
  if (isGone && proxy.data && hasEnded(proxy.data)) return <AccessEnded proxy={proxy.data} />;
  // An open form says by itself that its proxy is gone, and keeps what was typed in sight.
  if (isGone && !isOpen) return <Gone shown={proxy.data ?? null} />;
  if (proxy.data)
    return (
      <Shown
        proxy={proxy.data}
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
  /** That it could not be fetched again. */
  readonly note: ReactNode;
  readonly onAction: (action: ProxyAction) => void;
  readonly dialogs: ReactNode;
}) {
  const { proxy, onAction } = props;
  const { isAdmin } = useUser();
  const suspension = suspensionAction(proxy);
  const button = (action: ProxyAction) => (
    <ProxyActionButton proxy={proxy} action={action} withIcon onClick={() => onAction(action)} />
  );
  return (
    <Page
      back={<Back from={proxy} />}
      title={proxy.serverName}
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
          {/* The notice below the title leads there, too. */}
          {lackOf(proxy) === null && mayDo(proxy, 'install') && button('install')}
          {mayDo(proxy, 'edit') && button('edit')}
          {isAdmin && button(suspension)}
        </>
      }
    >
      <SuspendedAlert proxy={proxy} />
      <ConnectNotice
        proxy={proxy}
        onRecreate={() => onAction('recreate')}
        onInstall={() => onAction('install')}
      />
      <HealthCards proxy={proxy} />
      <TrafficCard proxyId={proxy.id} />
      <LazyPart fallback={<Skeleton active paragraph={{ rows: 2 }} />}>
        <AccessPanel proxy={proxy} />
      </LazyPart>
      <LazyPart fallback={<Skeleton active paragraph={{ rows: 2 }} />}>
        <DomainsPanel proxy={proxy} />
      </LazyPart>
      <GamePortsPart proxy={proxy} />
      <LazyPart fallback={<Skeleton active paragraph={{ rows: 2 }} />}>
        <MembersPanel proxy={proxy} />
      </LazyPart>
      {includesRole(roleOf(proxy), 'manage') && (
        <LazyPart fallback={<Skeleton active paragraph={{ rows: 2 }} />}>
          <RequestsPanel proxyId={proxy.id} />
        </LazyPart>
      )}
      <EventsCard proxy={proxy} />
      <DangerZone proxy={proxy} onRecreate={() => onAction('recreate')} onDelete={() => onAction('delete')} />
      {props.dialogs}
    </Page>
  );
}
