import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { ApiError, proxyQuery } from '@talpa/panel-kit/core';
import {
  DeleteDialog,
  EditDialog,
  InstallDialog,
  ProxyAddress,
  ProxyStatus,
  SuspendedAlert,
} from '@talpa/panel-kit/proxies';
import { Link, Navigate, useParams } from '@talpa/panel-kit/router';
import { Button, EmptyState, ErrorCard, Page, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Cable, Download, Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useUserTexts } from '../texts/user-texts.ts';
import { ProxyOwner, SuspensionButton } from './administrator.tsx';
import { ConnectNotice, lackOf } from './connect-notice.tsx';
import { DangerZone } from './danger-zone.tsx';
import { EventsCard } from './events-card.tsx';
import { HealthCards } from './health-cards.tsx';
import styles from './proxy.module.css';
import { StaleNote } from './stale-note.tsx';
import { TrafficCard } from './traffic-card.tsx';

const listPath = '/tunnel-configuration';

/** One proxy: how it is at both ends, how it was, what went through, and what happened to it. */
export function ProxyPage() {
  const t = useUserTexts();
  const { id = '' } = useParams();
  const proxy = useQuery(proxyQuery(Number(id)));
  const [asked, setAsked] = useState(false);
  const isGone = proxy.error instanceof ApiError && [400, 404].includes(proxy.error.status);
  if (isGone && asked) return <Navigate to={listPath} replace />;
  if (isGone)
    return (
      <Page title={t('proxy.title')}>
        <Panel flush>
          <EmptyState
            icon={<Cable size={22} aria-hidden />}
            title={t('proxy.notFound')}
            text={t('proxy.notFound.text')}
            action={<BackLink />}
          />
        </Panel>
      </Page>
    );
  if (proxy.data)
    return <Shown proxy={proxy.data} note={<StaleNote query={proxy} />} onDelete={() => setAsked(true)} />;
  return (
    <Page title={t('proxy.title')} back={<BackLink />}>
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

function BackLink() {
  const t = useUserTexts();
  return (
    <Link to={listPath} className={styles.back}>
      <ArrowLeft size={15} aria-hidden />
      {t('proxy.back')}
    </Link>
  );
}

type Dialog = 'install' | 'edit' | 'delete';

function Shown(props: {
  readonly proxy: ProxyConfig;
  /** That it could not be fetched again. */
  readonly note: ReactNode;
  readonly onDelete: () => void;
}) {
  const t = useUserTexts();
  const client = useQueryClient();
  const [open, setOpen] = useState<Dialog | null>(null);
  const { proxy } = props;
  const close = () => {
    setOpen(null);
    void client.invalidateQueries(proxyQuery(proxy.id));
  };
  const shown = (dialog: Dialog) => (open === dialog ? proxy : null);
  return (
    <Page
      back={<BackLink />}
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
          {lackOf(proxy) === null && (
            <Button icon={<Download size={15} aria-hidden />} onClick={() => setOpen('install')}>
              {t('proxies.install')}
            </Button>
          )}
          <Button icon={<Pencil size={15} aria-hidden />} onClick={() => setOpen('edit')}>
            {t('proxies.edit')}
          </Button>
          <SuspensionButton proxy={proxy} />
        </>
      }
    >
      <SuspendedAlert proxy={proxy} />
      <ConnectNotice proxy={proxy} onInstall={() => setOpen('install')} />
      <HealthCards proxy={proxy} />
      <TrafficCard proxyId={proxy.id} />
      <EventsCard proxyId={proxy.id} ownerId={proxy.userId} />
      <DangerZone
        proxy={proxy}
        onInstall={() => setOpen('install')}
        onDelete={() => {
          props.onDelete();
          setOpen('delete');
        }}
      />
      <InstallDialog proxy={shown('install')} onClose={close} />
      <EditDialog proxy={shown('edit')} onClose={close} />
      <DeleteDialog proxy={shown('delete')} onClose={close} />
    </Page>
  );
}
