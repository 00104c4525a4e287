import type { ProxyConfig } from '@talpa/contracts';
import {
  ConnectDialog,
  proxySorts,
  proxyStatuses,
  secondProxy,
  useProxyChoices,
  useProxyDialogs,
} from '@talpa/panel-features/proxies';
import { canCreateQuery, pageQuery, proxyQuery, useHeadOf, useIsLive } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { ListFrame, oneOf, useChanged, useListAddress } from '@talpa/panel-kit/table';
import { Button, EmptyState, LinkButton, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Cable, Plus, Server } from 'lucide-react';
import { useState } from 'react';
import { InvitationsPanel } from '../members/invitations-panel.tsx';
import { SharedPanel } from '../members/shared-panel.tsx';
import { useAdding } from '../open-add.ts';
import { pages } from '../pages.ts';
import { EmptyServers } from '../servers/empty-servers.tsx';
import { useServerGrouping } from '../servers/use-grouping.tsx';
import { useMove } from '../servers/use-move.tsx';
import { PlanNotice, useEndNotice } from '../subscription/plan-notice.tsx';
import { useUserTexts } from '../texts/user-texts.ts';
import { CreateDialog } from './create-dialog.tsx';
import { useEmptyReason } from './empty-reason.ts';
import { OwnLimitLink } from './own-limit-link.tsx';
import styles from './proxies.module.css';
import { useProxyRows } from './proxy-rows.tsx';

/** While something is being provisioned and no live message comes the list is fetched again this often, in ms. */
const settlingMs = 2_000;
const isSettling = (proxy: ProxyConfig) => proxy.status === 'pending' || proxy.changePending;

const options = { sorts: proxySorts, filters: { status: oneOf(proxyStatuses) } };

/** The user's proxies and everything a user does with them. */
export function ProxiesPage() {
  const t = useUserTexts();
  const head = useHeadOf(pages.proxies);
  const live = useIsLive();
  const choices = useProxyChoices();
  const address = useListAddress(options);
  const proxies = useQuery({
    ...pageQuery('GET /api/tunnel-configs', address.input),
    refetchInterval: ({ state }) => (!live && state.data?.rows.some(isSettling) ? settlingMs : false),
  });
  const changed = useChanged(proxies.data?.rows ?? [], JSON.stringify(address.input), proxyQuery);
  const { rows } = changed;
  const { data: quota } = useQuery(canCreateQuery);
  const [adding, setAdding] = useAdding();
  const canCreate = quota?.canCreate ?? false;
  /** Whose second panel is being added. */
  const [of, setOf] = useState<ProxyConfig>();
  const add = (proxy?: ProxyConfig) => {
    setOf(proxy);
    setAdding('proxy');
  };
  const { open, dialogs } = useProxyDialogs(rows, {
    onSaved: changed.remember,
    onDelete: changed.forget,
    ...(canCreate && { onAddSecond: add }),
  });
  const grouping = useServerGrouping();
  const move = useMove({
    onMoved: changed.remember,
    onInstall: (proxy) => open('install', proxy),
  });
  const shape = useProxyRows({
    onAction: open,
    more: move.actions,
    grouping,
    isBelowServer: (proxy) => grouping.idOf(proxy) !== null,
  });
  // Who has none yet has no connector either: the one command installs that, too.
  const buttons = (isFirst: boolean) => [
    <Button
      key="server"
      type={isFirst ? 'primary' : 'default'}
      icon={<Server size={16} aria-hidden />}
      onClick={() => setAdding('server')}
    >
      {t('servers.connect')}
    </Button>,
    <Button
      key="proxy"
      type={isFirst ? 'default' : 'primary'}
      icon={<Plus size={16} aria-hidden />}
      onClick={() => add()}
    >
      {t('proxies.add')}
    </Button>,
  ];
  const emptyReason = useEmptyReason();
  const emptyActions = {
    add: <div className={styles.first}>{buttons(true)}</div>,
    suspended: null,
    plan: <LinkButton to={pages.subscription.path}>{t('plan.choose')}</LinkButton>,
    limit: <OwnLimitLink />,
    ask: <LinkButton to={pages.subscription.path}>{t('plan.show')}</LinkButton>,
  };
  // The button stands above the list: if it appeared after the list, it would push the list down.
  const isExpected = proxies.isPending && (quota?.current ?? 0) > 0;
  const hasSome = rows.length > 0 || address.isNarrowed || isExpected;
  return (
    <Page {...head} actions={canCreate && hasSome ? buttons(false) : null}>
      <PlanNotice notice={useEndNotice()} />
      <InvitationsPanel />
      <Panel
        label={t('proxies.list')}
        flush
        footer={quota && quota.current >= quota.limit && hasSome ? <LimitNote limit={quota.limit} /> : null}
      >
        <ListFrame
          query={proxies}
          address={address}
          changed={changed}
          nameOf={({ serverName }) => serverName}
          search={choices.search}
          filters={[choices.status]}
          orders={choices.orders}
          loadFailed={t('proxies.loadFailed')}
          empty={
            <EmptyState
              icon={<Cable size={22} aria-hidden />}
              title={t('proxies.empty')}
              {...(emptyReason && {
                text: t(`proxies.empty.${emptyReason}`),
                action: emptyActions[emptyReason],
              })}
            />
          }
          shape={shape}
        />
      </Panel>
      <SharedPanel />
      <EmptyServers />
      <CreateDialog
        open={adding === 'proxy'}
        {...(of && { first: secondProxy(of), server: of.serverId })}
        onClose={() => setAdding(null)}
        onCreated={(proxy) => {
          setAdding(null);
          changed.remember(proxy);
          // One on a connected server is reached already: nobody needs the token.
          if (proxy.status !== 'active') open('install', proxy);
        }}
      />
      <ConnectDialog open={adding === 'server'} onClose={() => setAdding(null)} />
      {dialogs}
      {move.dialog}
    </Page>
  );
}

function LimitNote({ limit }: { readonly limit: number }) {
  const t = useUserTexts();
  return (
    <div className={styles.limit}>
      <span>{t('proxies.limitReached', { count: limit })}</span>
      <Link to={pages.subscription.path}>{t('proxies.upgrade')}</Link>
    </div>
  );
}
