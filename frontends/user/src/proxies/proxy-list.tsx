import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { useIsNarrow } from '@talpa/panel-kit/core';
import { ProxyAddress, ProxyStatus } from '@talpa/panel-kit/proxies';
import { Link } from '@talpa/panel-kit/router';
import { CardList, type Column, DataTable, type RowsState } from '@talpa/panel-kit/table';
import { IconButton } from '@talpa/panel-kit/ui';
import { Activity, Download, Pencil, Trash2 } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxies.module.css';
import type { ProxyDialog } from './proxies-page.tsx';

interface Props {
  readonly proxies: readonly ProxyConfig[];
  readonly state: RowsState<ProxyConfig>;
  readonly onAction: (dialog: ProxyDialog, proxy: ProxyConfig) => void;
}

/** The proxies: a table on wide screens, cards on narrow ones. */
export function ProxyList({ proxies, state, onAction }: Props) {
  const t = useUserTexts();
  const narrow = useIsNarrow();
  const actions = (proxy: ProxyConfig) => (
    <Actions proxy={proxy} onAction={(dialog) => onAction(dialog, proxy)} />
  );
  if (narrow)
    return (
      <CardList
        label={t('proxies.list')}
        rows={proxies}
        title={(proxy) => <ProxyLink proxy={proxy} />}
        extra={(proxy) => <ProxyStatus proxy={proxy} />}
        facts={(proxy) => [
          { label: t('proxies.column.ip'), value: <span className={styles.mono}>{proxy.serverIP}</span> },
          { label: t('proxies.column.port'), value: <span className={styles.mono}>{proxy.adminPort}</span> },
          { label: t('proxies.column.address'), value: <ProxyAddress proxy={proxy} /> },
        ]}
        actions={actions}
        state={state}
      />
    );
  const columns: Column<ProxyConfig>[] = [
    {
      key: 'name',
      title: t('proxies.column.name'),
      render: (proxy) => <ProxyLink proxy={proxy} />,
      sort: 'serverName',
    },
    {
      key: 'ip',
      title: t('proxies.column.ip'),
      render: (proxy) => <span className={styles.mono}>{proxy.serverIP}</span>,
    },
    {
      key: 'port',
      title: t('proxies.column.port'),
      render: (proxy) => <span className={styles.mono}>{proxy.adminPort}</span>,
    },
    { key: 'address', title: t('proxies.column.address'), render: (proxy) => <ProxyAddress proxy={proxy} /> },
    { key: 'status', title: t('proxies.column.status'), render: (proxy) => <ProxyStatus proxy={proxy} /> },
    {
      key: 'actions',
      title: t('proxies.column.actions'),
      align: 'right',
      render: (proxy) => <div className={styles.actions}>{actions(proxy)}</div>,
    },
  ];
  return <DataTable label={t('proxies.list')} rows={proxies} columns={columns} state={state} />;
}

/** Leads to the proxy's own page. */
function ProxyLink({ proxy }: { readonly proxy: ProxyConfig }) {
  return (
    <Link className={styles.name} to={`/tunnel-configuration/${proxy.id}`}>
      {proxy.serverName}
    </Link>
  );
}

function Actions({
  proxy,
  onAction,
}: {
  readonly proxy: ProxyConfig;
  readonly onAction: (dialog: ProxyDialog) => void;
}) {
  const t = useUserTexts();
  const named = (action: string) => t('proxies.action', { action, name: proxy.serverName });
  return (
    <>
      <IconButton
        label={named(t('proxies.edit'))}
        tip={t('proxies.edit')}
        icon={<Pencil size={16} />}
        onClick={() => onAction('edit')}
      />
      <IconButton
        label={named(t('proxies.install'))}
        tip={t('proxies.install')}
        icon={<Download size={16} />}
        onClick={() => onAction('install')}
      />
      <IconButton
        label={named(t('proxies.check'))}
        tip={t('proxies.check')}
        icon={<Activity size={16} />}
        disabled={!proxy.cfTunnelId}
        onClick={() => onAction('status')}
      />
      <IconButton
        label={named(t('proxies.delete'))}
        tip={t('proxies.delete')}
        icon={<Trash2 size={16} />}
        danger
        onClick={() => onAction('delete')}
      />
    </>
  );
}
