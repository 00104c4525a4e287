import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { adminProxiesQuery } from '@talpa/panel-kit/core';
import { DeleteDialog, EditDialog, InstallDialog } from '@talpa/panel-kit/proxies';
import { EmptyState, ErrorCard, Loading, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Cable } from 'lucide-react';
import { useState } from 'react';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { AllProxiesList, type ProxyDialog } from './all-proxies-list.tsx';

type Open = { readonly dialog: ProxyDialog; readonly proxy: ProxyConfig } | null;

/** Everybody's proxies; the dialogs are those of their owners. */
export function AllProxiesPage() {
  const t = useAdminTexts();
  const proxies = useQuery(adminProxiesQuery);
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const about = (dialog: ProxyDialog) =>
    open?.dialog === dialog ? (proxies.data?.find(({ id }) => id === open.proxy.id) ?? open.proxy) : null;
  return (
    <Page title={t('proxies.title')} subtitle={t('proxies.subtitle')}>
      <Panel title={t('proxies.list')} flush>
        {proxies.isPending && <Loading />}
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
            text={t('proxies.empty.text')}
          />
        )}
        {proxies.data && proxies.data.length > 0 && (
          <AllProxiesList proxies={proxies.data} onAction={(dialog, proxy) => setOpen({ dialog, proxy })} />
        )}
      </Panel>
      <InstallDialog proxy={about('install')} onClose={close} />
      <EditDialog proxy={about('edit')} onClose={close} />
      <DeleteDialog proxy={about('delete')} onClose={close} />
    </Page>
  );
}
