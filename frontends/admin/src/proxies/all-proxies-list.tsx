import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { useIsNarrow } from '@talpa/panel-kit/core';
import { ProxyAddress, ProxyStatus } from '@talpa/panel-kit/proxies';
import { CardList, type Column, DataTable } from '@talpa/panel-kit/table';
import { IconButton } from '@talpa/panel-kit/ui';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { useAdminTexts } from '../texts/admin-texts.ts';

/** A dialog about one proxy. */
export type ProxyDialog = 'edit' | 'install' | 'delete';

/** Everybody's proxies: a table on wide screens, cards on narrow ones. */
export function AllProxiesList(props: {
  readonly proxies: readonly ProxyConfig[];
  readonly onAction: (dialog: ProxyDialog, proxy: ProxyConfig) => void;
}) {
  const t = useAdminTexts();
  const narrow = useIsNarrow();
  const address = (proxy: ProxyConfig) => <ProxyAddress proxy={proxy} />;
  const status = (proxy: ProxyConfig) => <ProxyStatus proxy={proxy} />;
  const actions = (proxy: ProxyConfig) => (
    <>
      <IconButton
        label={t('action', { action: t('edit'), name: proxy.serverName })}
        tip={t('edit')}
        icon={<Pencil size={16} aria-hidden />}
        onClick={() => props.onAction('edit', proxy)}
      />
      <IconButton
        label={t('action', { action: t('install'), name: proxy.serverName })}
        tip={t('install')}
        icon={<Download size={16} aria-hidden />}
        onClick={() => props.onAction('install', proxy)}
      />
      <IconButton
        label={t('action', { action: t('delete'), name: proxy.serverName })}
        tip={t('delete')}
        icon={<Trash2 size={16} aria-hidden />}
        danger
        onClick={() => props.onAction('delete', proxy)}
      />
    </>
  );
  if (narrow)
    return (
      <CardList
        label={t('proxies.list')}
        rows={props.proxies}
        title={(proxy) => proxy.serverName}
        extra={status}
        facts={(proxy) => [
          { label: t('proxies.column.id'), value: proxy.id },
          { label: t('proxies.column.userId'), value: proxy.userId },
          { label: t('proxies.column.ip'), value: proxy.serverIP },
          { label: t('proxies.column.address'), value: address(proxy) },
        ]}
        actions={actions}
      />
    );
  const columns: Column<ProxyConfig>[] = [
    { key: 'id', title: t('proxies.column.id'), render: (proxy) => proxy.id, width: 72 },
    { key: 'userId', title: t('proxies.column.userId'), render: (proxy) => proxy.userId, width: 130 },
    { key: 'name', title: t('proxies.column.name'), render: (proxy) => <strong>{proxy.serverName}</strong> },
    { key: 'ip', title: t('proxies.column.ip'), render: (proxy) => proxy.serverIP },
    { key: 'address', title: t('proxies.column.address'), render: address },
    { key: 'status', title: t('proxies.column.status'), render: status },
    { key: 'actions', title: t('proxies.column.actions'), align: 'right', render: actions },
  ];
  return <DataTable label={t('proxies.list')} rows={props.proxies} columns={columns} />;
}
