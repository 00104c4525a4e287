import { adminProxiesQuery } from '@talpa/panel-kit/core';
import { EmptyState, ErrorCard, Loading, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Cable } from 'lucide-react';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { AllProxiesList } from './all-proxies-list.tsx';
import { useProxyDialogs } from './proxy-dialogs.tsx';

/** Everybody's proxies; the dialogs are those of their owners. */
export function AllProxiesPage() {
  const t = useAdminTexts();
  const proxies = useQuery(adminProxiesQuery);
  const { open, dialogs } = useProxyDialogs(proxies.data);
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
          <AllProxiesList label={t('proxies.list')} proxies={proxies.data} onAction={open} />
        )}
      </Panel>
      {dialogs}
    </Page>
  );
}
