import type { ProxyConfig } from '@talpa/contracts';
import { hasOwnStatus, ProxyAddress, ProxyStatus, useProxyActions } from '@talpa/panel-features/proxies';
import { Link } from '@talpa/panel-kit/router';
import { type Grouping, LongText, type RowAction, type RowShape } from '@talpa/panel-kit/table';
import { proxyPath } from '../proxy-path.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxies.module.css';

/** A user's own proxies as rows. */
export function useProxyRows(options: {
  readonly onAction: Parameters<typeof useProxyActions>[0];
  /** In the menu of a row. */
  readonly more?: (proxy: ProxyConfig) => readonly RowAction[];
  readonly grouping?: Grouping<ProxyConfig>;
  /** Whether how its connector is stands above the row already. */
  readonly isBelowServer: (proxy: ProxyConfig) => boolean;
}): RowShape<ProxyConfig> {
  const t = useUserTexts();
  const { onAction, more, grouping, isBelowServer } = options;
  return {
    label: t('proxies.list'),
    grouping,
    actions: useProxyActions(onAction, { suspends: false, more }),
    columns: [
      {
        key: 'name',
        title: t('proxies.column.name'),
        render: (proxy) => (
          <Link className={styles.name} to={proxyPath(proxy.id)}>
            <LongText text={proxy.serverName} />
          </Link>
        ),
        min: 126,
        grow: 2,
        sort: 'serverName',
        onCard: 'title',
      },
      {
        key: 'ip',
        title: t('proxies.column.ip'),
        render: (proxy) => <LongText text={proxy.serverIP} lines={2} mono />,
        // Half of a whole IPv6 address.
        min: 178,
      },
      {
        key: 'port',
        title: t('proxies.column.port'),
        render: (proxy) => <LongText text={String(proxy.adminPort)} mono />,
        // The German heading is cut in less.
        min: 112,
      },
      {
        key: 'address',
        title: t('proxies.column.address'),
        render: (proxy, place) => <ProxyAddress proxy={proxy} inTable={place === 'table'} />,
        min: 160,
        grow: 5,
      },
      {
        key: 'status',
        title: t('proxies.column.status'),
        render: (proxy) => (!isBelowServer(proxy) || hasOwnStatus(proxy)) && <ProxyStatus proxy={proxy} />,
        min: 150,
        grow: 1,
        onCard: 'extra',
      },
    ],
  };
}
