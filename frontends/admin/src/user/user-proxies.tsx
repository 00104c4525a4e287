import { useProxyDialogs } from '@talpa/panel-features/proxies';
import { adminProxiesOfQuery } from '@talpa/panel-kit/core';
import { RowList } from '@talpa/panel-kit/table';
import { EmptyState, ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Cable } from 'lucide-react';
import { useProxyRows } from '../proxies/proxy-rows.tsx';
import { useAdminTexts } from '../texts/admin-texts.ts';
import styles from './user.module.css';

/** A user's proxies, and what an administrator does with them. */
export function UserProxies({ userId }: { readonly userId: number }) {
  const t = useAdminTexts();
  const proxies = useQuery(adminProxiesOfQuery(userId));
  const { open, dialogs } = useProxyDialogs(proxies.data);
  const shape = useProxyRows({ label: t('user.proxies'), withOwner: false, onAction: open });
  const count = proxies.data?.length ?? 0;
  return (
    <Panel
      title={t('user.proxies')}
      extra={count > 0 && <span className={styles.note}>{t('user.proxies.count', { count })}</span>}
      flush
    >
      {proxies.isPending && <Skeleton active className={styles.skeleton ?? ''} paragraph={{ rows: 3 }} />}
      {proxies.isError && (
        <ErrorCard
          title={t('proxies.loadFailed')}
          error={proxies.error}
          retry={() => void proxies.refetch()}
          retrying={proxies.isFetching}
        />
      )}
      {proxies.isSuccess && count === 0 && (
        <EmptyState icon={<Cable size={22} aria-hidden />} title={t('user.proxies.empty')} />
      )}
      {proxies.isSuccess && count > 0 && <RowList shape={shape} rows={proxies.data} />}
      {dialogs}
    </Panel>
  );
}
