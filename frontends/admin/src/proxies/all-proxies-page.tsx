import { proxySorts, proxyStatuses, useProxyChoices, useProxyDialogs } from '@talpa/panel-features/proxies';
import { adminProxiesQuery, pageQuery, proxyQuery, useHeadOf } from '@talpa/panel-kit/core';
import { anId, ListFrame, oneOf, useChanged, useListAddress, useSelection } from '@talpa/panel-kit/table';
import { EmptyState, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Cable } from 'lucide-react';
import { BulkDelete } from '../bulk/bulk-delete.tsx';
import { pages } from '../pages.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { UserSelect } from '../users/user-select.tsx';
import styles from './proxies.module.css';
import { useProxyRows } from './proxy-rows.tsx';

const options = { sorts: proxySorts, filters: { status: oneOf(proxyStatuses), userId: anId } };

/** The proxies of all users; the dialogs are those of their owners. */
export function AllProxiesPage() {
  const t = useAdminTexts();
  const head = useHeadOf(pages.proxies);
  const choices = useProxyChoices();
  const address = useListAddress(options);
  const proxies = useQuery({
    ...pageQuery('GET /api/admin/tunnel-configs', address.input, { language: 'de' }),
    refetchOnWindowFocus: adminProxiesQuery.refetchOnWindowFocus,
  });
  const place = JSON.stringify(address.input);
  const changed = useChanged(proxies.data?.rows ?? [], place, proxyQuery);
  const nameOf = ({ serverName }: { readonly serverName: string }) => serverName;
  const selection = useSelection(changed.rows, { page: place, nameOf });
  const { open, dialogs } = useProxyDialogs(changed.rows, {
    onSaved: changed.remember,
    onDelete: changed.forget,
  });
  const shape = useProxyRows({ label: t('proxies.list'), withOwner: true, onAction: open });
  return (
    <Page {...head}>
      <Panel label={t('proxies.list')} flush>
        <ListFrame
          query={proxies}
          address={address}
          changed={changed}
          nameOf={nameOf}
          search={t('proxies.search')}
          filters={[choices.status]}
          moreFilters={
            <div className={styles.ownerFilter}>
              <UserSelect
                id="owner"
                label={t('proxies.column.owner')}
                value={address.filters.userId}
                placeholder={t('proxies.everyOwner')}
                onChange={(userId) => address.filter({ userId })}
              />
            </div>
          }
          orders={choices.orders}
          loadFailed={t('proxies.loadFailed')}
          empty={
            <EmptyState
              icon={<Cable size={22} aria-hidden />}
              title={t('proxies.empty')}
              text={t('proxies.empty.text')}
            />
          }
          selection={selection}
          bulk={
            <BulkDelete
              call="DELETE /api/tunnel-configs/:id"
              kind="proxies"
              items={selection.selected}
              nameOf={(proxy) => `${proxy.serverName} (${proxy.cfDomain})`}
              onStart={changed.forget}
            />
          }
          shape={shape}
        />
      </Panel>
      {dialogs}
    </Page>
  );
}
