import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { useIsNarrow } from '@talpa/panel-kit/core';
import { ProxyAddress, ProxyStatus } from '@talpa/panel-kit/proxies';
import { CardList, type Column, DataTable, type RowsState } from '@talpa/panel-kit/table';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { ProxyActions } from './proxy-actions.tsx';
import { ProxyName, ProxyOwner, ProxyState } from './proxy-cells.tsx';
import type { ProxyDialog } from './proxy-dialogs.tsx';

/** Proxies, as administrators see them: a table on wide screens, cards on narrow ones. */
export function AllProxiesList(props: {
  readonly label: string;
  readonly proxies: readonly ProxyConfig[];
  /** Left out where all belong to one. */
  readonly withOwner?: boolean;
  /** What the list around says of its rows. */
  readonly state?: RowsState<ProxyConfig>;
  readonly onAction: (dialog: ProxyDialog, proxy: ProxyConfig) => void;
}) {
  const t = useAdminTexts();
  const narrow = useIsNarrow();
  const { withOwner = true } = props;
  const name = (proxy: ProxyConfig) => <ProxyName proxy={proxy} />;
  const owner = (proxy: ProxyConfig) => <ProxyOwner proxy={proxy} />;
  const address = (proxy: ProxyConfig) => <ProxyAddress proxy={proxy} />;
  const state = (proxy: ProxyConfig) => <ProxyState proxy={proxy} />;
  const actions = (proxy: ProxyConfig) => (
    <ProxyActions proxy={proxy} onAction={(dialog) => props.onAction(dialog, proxy)} />
  );
  if (narrow)
    return (
      <CardList
        label={props.label}
        rows={props.proxies}
        title={name}
        extra={(proxy) => <ProxyStatus proxy={proxy} />}
        facts={(proxy) => [
          { label: t('proxies.column.id'), value: proxy.id },
          ...(withOwner ? [{ label: t('proxies.column.owner'), value: owner(proxy) }] : []),
          { label: t('proxies.column.ip'), value: proxy.serverIP },
          { label: t('proxies.column.address'), value: address(proxy) },
          ...(proxy.suspension
            ? [{ label: t(`proxies.suspended.label.${proxy.suspension.of}`), value: proxy.suspension.reason }]
            : []),
        ]}
        actions={actions}
        state={props.state}
      />
    );
  const columns: Column<ProxyConfig>[] = [
    { key: 'id', title: t('proxies.column.id'), render: (proxy) => proxy.id, width: 72, sort: 'createdAt' },
    ...(withOwner ? [{ key: 'owner', title: t('proxies.column.owner'), render: owner }] : []),
    { key: 'name', title: t('proxies.column.name'), render: name, sort: 'serverName' },
    { key: 'ip', title: t('proxies.column.ip'), render: (proxy) => proxy.serverIP },
    { key: 'address', title: t('proxies.column.address'), render: address },
    { key: 'status', title: t('proxies.column.status'), render: state },
    { key: 'actions', title: t('proxies.column.actions'), align: 'right', render: actions },
  ];
  return <DataTable label={props.label} rows={props.proxies} columns={columns} state={props.state} />;
}
