import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { useUser } from '@talpa/panel-kit/core';
import { lacksTunnel, ProxyAddress, ProxyStatus } from '@talpa/panel-kit/proxies';
import { Link } from '@talpa/panel-kit/router';
import { LongText, type RowAction, type RowShape } from '@talpa/panel-kit/table';
import { Activity, Download, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxies.module.css';
import type { ProxyDialog } from './proxies-page.tsx';

/** A user's own proxies as rows. */
export function useProxyRows(
  onAction: (dialog: ProxyDialog, proxy: ProxyConfig) => void,
): RowShape<ProxyConfig> {
  const t = useUserTexts();
  const { isAdmin } = useUser();
  const actions = (proxy: ProxyConfig): RowAction[] => {
    // The server refuses these to the owner.
    const locked = proxy.suspension && !isAdmin ? { disabled: true, why: t('proxies.suspended') } : {};
    const action = (key: ProxyDialog, text: string, rest: Pick<RowAction, 'Icon'> & Partial<RowAction>) => ({
      key,
      text,
      name: t('proxies.action', { action: text, name: proxy.serverName }),
      onClick: () => onAction(key, proxy),
      ...rest,
    });
    return [
      action('edit', t('proxies.edit'), { Icon: Pencil, ...locked }),
      action('install', t('proxies.install'), { Icon: Download, ...locked }),
      action('status', t('proxies.check'), {
        short: t('proxies.check.short'),
        Icon: Activity,
        disabled: !proxy.cfTunnelId,
      }),
      ...(lacksTunnel(proxy)
        ? [
            action('recreate', t('proxies.recreate'), {
              short: t('proxies.recreate.short'),
              Icon: RefreshCw,
              ...locked,
            }),
          ]
        : []),
      action('delete', t('proxies.delete'), { Icon: Trash2, danger: true }),
    ];
  };
  return {
    label: t('proxies.list'),
    actions,
    columns: [
      {
        key: 'name',
        title: t('proxies.column.name'),
        render: (proxy) => (
          <Link className={styles.name} to={`/tunnel-configuration/${proxy.id}`}>
            <LongText text={proxy.serverName} />
          </Link>
        ),
        min: 140,
        grow: 3,
        sort: 'serverName',
        onCard: 'title',
      },
      {
        key: 'ip',
        title: t('proxies.column.ip'),
        render: (proxy) => (
          <div className={styles.mono}>
            <LongText text={proxy.serverIP} lines={3} />
          </div>
        ),
        min: 130,
        grow: 2,
      },
      {
        key: 'port',
        title: t('proxies.column.port'),
        render: (proxy) => <div className={styles.mono}>{proxy.adminPort}</div>,
        min: 104,
      },
      {
        key: 'address',
        title: t('proxies.column.address'),
        render: (proxy, place) => <ProxyAddress proxy={proxy} oneLine={place === 'table'} />,
        min: 180,
        grow: 4,
      },
      {
        key: 'status',
        title: t('proxies.column.status'),
        render: (proxy) => <ProxyStatus proxy={proxy} />,
        min: 150,
        grow: 1,
        onCard: 'extra',
      },
    ],
  };
}
