import type { CustomDomain, CustomDomains, ProxyConfig } from '@talpa/contracts';
import { includesRole, type ProxyRole, roleOf } from '@talpa/contracts/roles';
import { proxyDomainsQuery, useApiMutation, useUser } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { Link } from '@talpa/panel-kit/router';
import { Button, ItemsPanel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { pages } from '../pages.ts';
import { AddDialog } from './add-dialog.tsx';
import { DomainRow } from './domain-row.tsx';
import styles from './domains.module.css';
import { useDomainTexts } from './texts.ts';

/** The custom domains of a proxy. */
export function DomainsPanel({ proxy }: { readonly proxy: ProxyConfig }) {
  const proxyId = proxy.id;
  const may = (role: ProxyRole) => includesRole(roleOf(proxy), role);
  const t = useDomainTexts();
  const user = useUser();
  const query = useQuery(proxyDomainsQuery(proxyId));
  const [isAdding, setAdding] = useState(false);
  const { data, refetch } = query;
  // The live stream says so, too, if it is open.
  const changed = () => void refetch();
  const removal = useConfirm(
    useApiMutation('DELETE /api/tunnel-configs/:id/domains/:domainId'),
    ({ id, host }: CustomDomain) => ({
      title: t('remove.title'),
      text: t('remove.text', { host }),
      confirm: t('remove.submit'),
      input: { id: proxyId, domainId: id },
      done: { title: t('remove.done'), text: host },
      failed: t('remove.failed'),
      onDone: changed,
    }),
  );
  return (
    <ItemsPanel
      title={t('title')}
      extra={
        may('manage') && (
          <Button
            icon={<Plus size={15} aria-hidden />}
            disabled={!data?.available || data.used >= data.limit}
            onClick={() => setAdding(true)}
          >
            {t('add')}
          </Button>
        )
      }
      text={
        <>
          {t('text')} {data && <Allowed {...data} />}{' '}
          {data && data.used >= data.limit && proxy.userId === user.id && (
            <Link to={pages.subscription.path}>{t('limit.plans')}</Link>
          )}
        </>
      }
      query={{ ...query, data: data?.domains }}
      failed={t('failed')}
      empty={t('empty')}
      row={(domain) => (
        <DomainRow
          key={domain.id}
          proxyId={proxyId}
          domain={domain}
          onChecked={may('operate') ? changed : undefined}
          onRemove={may('manage') ? () => removal.ask(domain) : undefined}
        />
      )}
    >
      {data?.domains.some(({ state }) => state !== 'verified') && (
        <p className={styles.note}>{t('record.addresses')}</p>
      )}
      <AddDialog open={isAdding} proxyId={proxyId} onAdded={changed} onClose={() => setAdding(false)} />
      {removal.dialog}
    </ItemsPanel>
  );
}

/** How many more there may be. */
function Allowed({ available, limit, used }: CustomDomains) {
  const t = useDomainTexts();
  if (!available) return t('unavailable');
  if (limit === 0) return t('limit.none');
  return used >= limit ? t('limit.full') : t('text.used', { used, limit });
}
