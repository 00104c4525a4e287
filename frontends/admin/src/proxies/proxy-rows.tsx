import type { ProxyConfig } from '@talpa/contracts';
import { ProxyAddress, useProxyActions } from '@talpa/panel-features/proxies';
import type { Column, RowShape } from '@talpa/panel-kit/table';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { ProxyIp, ProxyOwner, ProxyServer, ProxyState } from './proxy-cells.tsx';

/** Proxies as rows for administrators. */
export function useProxyRows(options: {
  readonly label: string;
  /** False where all belong to one. */
  readonly withOwner: boolean;
  readonly onAction: Parameters<typeof useProxyActions>[0];
}): RowShape<ProxyConfig> {
  const t = useAdminTexts();
  const owner: Column<ProxyConfig> = {
    key: 'owner',
    title: t('proxies.column.owner'),
    render: (proxy) => <ProxyOwner proxy={proxy} />,
    min: 124,
    grow: 2,
  };
  return {
    label: options.label,
    actions: useProxyActions(options.onAction, { suspends: true }),
    columns: [
      {
        key: 'id',
        title: t('proxies.column.id'),
        render: (proxy) => proxy.id,
        min: 60,
        sort: 'createdAt',
      },
      ...(options.withOwner ? [owner] : []),
      {
        key: 'name',
        title: t('proxies.column.server'),
        render: (proxy, place) => <ProxyServer proxy={proxy} place={place} />,
        // Half of a whole IPv6 address.
        min: 172,
        grow: 2,
        sort: 'serverName',
        onCard: 'title',
      },
      {
        key: 'ip',
        title: t('proxies.column.ip'),
        render: (proxy) => <ProxyIp proxy={proxy} />,
        min: 0,
        onCard: 'only',
      },
      {
        key: 'address',
        title: t('proxies.column.address'),
        render: (proxy, place) => <ProxyAddress proxy={proxy} inTable={place === 'table'} />,
        min: 148,
        grow: 3,
      },
      {
        key: 'status',
        title: t('proxies.column.status'),
        render: (proxy) => <ProxyState proxy={proxy} />,
        // „Änderung ausstehend“ in one line.
        min: 160,
        grow: 2,
        onCard: 'extra',
      },
    ],
  };
}
