import type { CustomDomain, CustomDomains, ProxyConfig } from '@talpa/contracts';
import { includesRole, type ProxyRole, roleOf } from '@talpa/contracts/roles';
import { proxyDomainsQuery } from '@talpa/panel-kit/core';
import { Button, ItemsPanel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { AddDialog } from './add-dialog.tsx';
import { DomainRow } from './domain-row.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { useDomainTexts } from './texts.ts';

/** The custom domains of a proxy. */
export function DomainsPanel({ proxy }: { readonly proxy: ProxyConfig }) {
  const proxyId = proxy.id;
  const may = (role: ProxyRole) => includesRole(roleOf(proxy), role);
  const t = useDomainTexts();
  const query = useQuery(proxyDomainsQuery(proxyId));
  const [shown, setShown] = useState<'add' | 'remove' | null>(null);
  // Kept while its dialog closes, so that it does not go blank.
  const [selected, setSelected] = useState<CustomDomain | null>(null);
  const close = () => setShown(null);
  const { data, refetch } = query;
  // The live stream says so, too, if it is open.
  const changed = () => void refetch();
  return (
    <ItemsPanel
      title={t('title')}
      extra={
        may('manage') && (
          <Button
            icon={<Plus size={15} aria-hidden />}
            disabled={!data?.available || data.used >= data.limit}
            onClick={() => setShown('add')}
          >
            {t('add')}
          </Button>
        )
      }
      text={
        <>
          {t('text')} {data && <Allowed {...data} />}
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
          onRemove={
            may('manage')
              ? () => {
                  setSelected(domain);
                  setShown('remove');
                }
              : undefined
          }
        />
      )}
    >
      <AddDialog open={shown === 'add'} proxyId={proxyId} onAdded={changed} onClose={close} />
      {selected && (
        <RemoveDialog
          open={shown === 'remove'}
          proxyId={proxyId}
          domain={selected}
          onRemoved={changed}
          onClose={close}
        />
      )}
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
