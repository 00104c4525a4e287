import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { canCreateQuery, proxiesQuery, useIsLive } from '@talpa/panel-kit/core';
import { DeleteDialog, EditDialog, InstallDialog, StatusDialog } from '@talpa/panel-kit/proxies';
import { Link } from '@talpa/panel-kit/router';
import { Button, EmptyState, ErrorCard, Page, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Cable, Plus } from 'lucide-react';
import { useState } from 'react';
import { takeAddProxyRequest } from '../open-add.ts';
import { PlanNotice } from '../subscription/plan-notice.tsx';
import { useUserTexts } from '../texts/user-texts.ts';
import { CreateDialog } from './create-dialog.tsx';
import styles from './proxies.module.css';
import { ProxyList } from './proxy-list.tsx';

/** A dialog about one proxy. */
export type ProxyDialog = 'install' | 'edit' | 'status' | 'delete';
type Open = { readonly dialog: ProxyDialog; readonly proxy: ProxyConfig } | null;

/** While something is being provisioned and nobody tells of it the list looks again this often, in ms. */
const settlingMs = 2_000;
const isSettling = (proxy: ProxyConfig) => proxy.status === 'pending' || proxy.changePending;

/** One's own proxies and everything one does with them. */
export function ProxiesPage() {
  const t = useUserTexts();
  const live = useIsLive();
  const proxies = useQuery({
    ...proxiesQuery,
    refetchInterval: ({ state }) => (!live && state.data?.some(isSettling) ? settlingMs : false),
  });
  const { data: quota } = useQuery(canCreateQuery);
  const [adding, setAdding] = useState(takeAddProxyRequest);
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const canCreate = quota?.canCreate ?? false;
  const addButton = (
    <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {t('proxies.add')}
    </Button>
  );
  const shown = (dialog: ProxyDialog) => (open?.dialog === dialog ? open.proxy : null);
  return (
    <Page
      title={t('proxies.title')}
      subtitle={t('proxies.subtitle')}
      actions={canCreate && (proxies.data?.length ?? 0) > 0 ? addButton : null}
    >
      <PlanNotice />
      <Panel
        title={t('proxies.list')}
        flush
        footer={
          quota && quota.current >= quota.limit && (proxies.data?.length ?? 0) > 0 ? (
            <LimitNote limit={quota.limit} />
          ) : null
        }
      >
        {proxies.isPending && <Skeleton active className={styles.skeleton ?? ''} paragraph={{ rows: 4 }} />}
        {proxies.isError && (
          <ErrorCard
            title={t('proxies.loadFailed')}
            error={proxies.error}
            retry={() => void proxies.refetch()}
            retrying={proxies.isFetching}
          />
        )}
        {proxies.data?.length === 0 && (
          <EmptyState
            icon={<Cable size={22} aria-hidden />}
            title={t('proxies.empty')}
            text={canCreate ? t('proxies.empty.add') : t('proxies.empty.upgrade')}
            action={canCreate ? addButton : <UpgradeLink primary />}
          />
        )}
        {proxies.data && proxies.data.length > 0 && (
          <ProxyList proxies={proxies.data} onAction={(dialog, proxy) => setOpen({ dialog, proxy })} />
        )}
      </Panel>
      <CreateDialog
        open={adding}
        onClose={() => setAdding(false)}
        onCreated={(proxy) => {
          setAdding(false);
          setOpen({ dialog: 'install', proxy });
        }}
      />
      <InstallDialog proxy={current(shown('install'), proxies.data)} onClose={close} />
      <EditDialog proxy={shown('edit')} onClose={close} />
      <StatusDialog proxy={shown('status')} onClose={close} />
      <DeleteDialog proxy={shown('delete')} onClose={close} />
    </Page>
  );
}

/** A dialog that stays open while its proxy changes shows the newest state of it. */
function current(proxy: ProxyConfig | null, list: readonly ProxyConfig[] | undefined): ProxyConfig | null {
  return proxy && (list?.find((one) => one.id === proxy.id) ?? proxy);
}

function LimitNote({ limit }: { readonly limit: number }) {
  const t = useUserTexts();
  return (
    <div className={styles.limit}>
      <span>{t('proxies.limitReached', { count: limit })}</span>
      <UpgradeLink />
    </div>
  );
}

function UpgradeLink({ primary = false }: { readonly primary?: boolean }) {
  const t = useUserTexts();
  return (
    <Link to="/subscription" className={primary ? styles.upgrade : ''}>
      {t('proxies.upgrade')}
    </Link>
  );
}
