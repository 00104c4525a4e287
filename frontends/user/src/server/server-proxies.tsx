import type { ProxyConfig, Server } from '@talpa/contracts';
import { absenceOf } from '@talpa/contracts/status';
import {
  hasOwnStatus,
  mayDo,
  proxySorts,
  useProxiesOf,
  useProxyChoices,
  useProxyDialogs,
} from '@talpa/panel-features/proxies';
import { type ApiError, canCreateQuery, type ListPage, proxyQuery, useUser } from '@talpa/panel-kit/core';
import { ListFrame, pageOf, useChanged, useListAddress } from '@talpa/panel-kit/table';
import { Alert, Button, EmptyState, Panel } from '@talpa/panel-kit/ui';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Cable, Plus } from 'lucide-react';
import { useState } from 'react';
import { CreateDialog } from '../proxies/create-dialog.tsx';
import { useProxyRows } from '../proxies/proxy-rows.tsx';
import { useMove } from '../servers/use-move.tsx';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './server.module.css';
import { useServerPageTexts } from './texts.ts';

const options = { sorts: proxySorts, filters: {} };
const by = {
  textOf: ({ serverName, cfDomain }: ProxyConfig) => `${serverName} ${cfDomain}`,
  compare: {
    createdAt: (one: ProxyConfig, other: ProxyConfig) => one.id - other.id,
    serverName: (one: ProxyConfig, other: ProxyConfig) =>
      one.serverName.localeCompare(other.serverName, undefined, { numeric: true }),
  },
};

/** What runs behind a server's connector, with the way to more. */
export function ServerProxies({
  server,
  onConnect,
}: {
  readonly server: Server;
  /** Installs its connector; undefined: not for this reader. */
  readonly onConnect: (() => void) | undefined;
}) {
  const t = useServerPageTexts();
  const say = useUserTexts();
  const query = useProxiesOf(server);
  const { data: proxies } = query;
  const { data: quota } = useQuery(canCreateQuery);
  const [isAdding, setAdding] = useState(false);
  const address = useListAddress(options);
  const choices = useProxyChoices();
  const page = proxies && pageOf(proxies, address, by);
  const remembered = useChanged(page?.rows ?? [], JSON.stringify(address.input), proxyQuery);
  // Not one that has moved away since.
  const isHere = proxies?.some(({ id }) => id === remembered.row?.id) ?? false;
  const changed = isHere ? remembered : { ...remembered, row: null, isHidden: false, rows: page?.rows ?? [] };
  const { open, dialogs } = useProxyDialogs(proxies, {
    onSaved: changed.remember,
    onDelete: changed.forget,
  });
  const move = useMove({ onInstall: (proxy) => open('install', proxy) });
  const shape = useProxyRows({ onAction: open, more: move.actions, isBelowServer: () => true });
  // Where none says more than the server, which is said above.
  const columns = shape.columns.filter(({ key }) => key !== 'status' || proxies?.some(hasOwnStatus));
  const isOwn = useUser().id === server.userId;
  const add = isOwn && (
    <Button
      type="primary"
      icon={<Plus size={16} aria-hidden />}
      disabled={!quota?.canCreate}
      onClick={() => setAdding(true)}
    >
      {say('proxies.add')}
    </Button>
  );
  const isEmpty = proxies?.length === 0;
  const absence = absenceOf(server);
  const first = proxies?.find((proxy) => mayDo(proxy, 'install'));
  const connects = onConnect && (absence === 'never' || !first);
  const hasAction = connects || first;
  return (
    <>
      {absence && (
        <Alert
          type={absence === 'lost' ? 'warning' : 'info'}
          showIcon
          title={t(`absence.${absence}`)}
          description={
            <>
              <p className={hasAction ? styles.text : styles.lastText}>
                {t(isEmpty ? `absence.${absence}.empty` : `absence.${absence}.text`)}
              </p>
              {connects && (
                <Button type="primary" onClick={onConnect}>
                  {say('proxy.lackAction.connector')}
                </Button>
              )}
              {!connects && first && (
                <Button type="primary" onClick={() => open('install', first)}>
                  {say(`proxy.lackAction.${absence === 'lost' ? 'connection' : 'connector'}`)}
                </Button>
              )}
            </>
          }
        />
      )}
      <Panel title={t('proxies')} extra={!isEmpty && add} flush>
        <ListFrame
          query={{ ...query, data: page } as UseQueryResult<ListPage<ProxyConfig>, ApiError>}
          address={address}
          changed={changed}
          nameOf={({ serverName }) => serverName}
          search={choices.search}
          filters={[]}
          orders={choices.orders}
          loadFailed={say('proxies.loadFailed')}
          empty={
            <EmptyState
              icon={<Cable size={22} aria-hidden />}
              title={t('proxies.none')}
              text={t('proxies.none.text')}
              action={add}
            />
          }
          shape={{ ...shape, columns }}
        />
        <CreateDialog
          open={isAdding}
          server={server.id}
          onClose={() => setAdding(false)}
          onCreated={(proxy) => {
            setAdding(false);
            changed.remember(proxy);
            if (proxy.status !== 'active') open('install', proxy);
          }}
        />
        {dialogs}
        {move.dialog}
      </Panel>
    </>
  );
}
