import type { ProxyConfig } from '@talpa/contracts';
import { panelPresets } from '@talpa/contracts/panels';
import {
  call,
  formatList,
  panelConfig,
  proxyHealthQuery,
  useKitTexts,
  useLanguage,
  useToast,
} from '@talpa/panel-kit/core';
import { Alert, Button, Loading } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { AfterInstall } from './after-install.tsx';
import { leadsNowhere, outboundPorts, outboundProtocols } from './install-block.ts';
import { firstChoice, type InstallChoice, InstallGuide, systemOf } from './install-guide.tsx';
import { InstallProgress } from './install-progress.tsx';
import styles from './proxies.module.css';
import { ProxyModal } from './proxy-modal.tsx';
import { RecreateButton } from './recreate-button.tsx';
import { TokenLine, TokenShared } from './secret-token.tsx';
import { useProxyTexts } from './texts.ts';
import { useSharedServer } from './use-shared-server.ts';
import { useWatchedProxy } from './use-watched-proxy.ts';

/** How to install the connector, with the tunnel's token; stays with the user until it is connected. */
export function InstallDialog({
  onAddSecond,
  ...props
}: {
  readonly proxy: ProxyConfig | null;
  readonly onClose: () => void;
  readonly onAddSecond: AddSecond | undefined;
}) {
  const t = useProxyTexts();
  return (
    <ProxyModal {...props} title={(name) => t('install.title', { name })} width={680}>
      {(proxy) => <Instructions given={proxy} onAddSecond={onAddSecond} />}
    </ProxyModal>
  );
}

/** Opens the form for the second proxy that a panel needs. */
type AddSecond = (proxy: ProxyConfig) => void;

function Instructions({
  given,
  onAddSecond,
}: {
  readonly given: ProxyConfig;
  readonly onAddSecond: AddSecond | undefined;
}) {
  const t = useProxyTexts();
  const kit = useKitTexts();
  const { proxy, isGone } = useWatchedProxy(given);
  if (isGone) return <Alert type="error" showIcon title={kit('gone.title')} role="alert" />;
  if (leadsNowhere(window.location.hostname, panelConfig())) return <OnlyHere />;
  if (proxy.status === 'pending') return <Loading text={t('install.pending')} />;
  // Also when the list alone says so; one that is being set up is there before its list knows.
  if (!proxy.cfTunnelId || (!given.cfTunnelId && given.status !== 'pending'))
    return (
      <div className={styles.blocks}>
        <Alert
          type="warning"
          showIcon
          title={t('install.noTunnel')}
          description={t('install.noTunnel.text')}
        />
        <RecreateButton proxy={proxy} isNext />
      </div>
    );
  // A tunnel made anew has another token, and waits for another connector.
  return <WithToken key={proxy.cfTunnelId} proxy={proxy} onAddSecond={onAddSecond} />;
}

/** The token is asked for each time and kept nowhere: not in the cache either. */
function WithToken({
  proxy,
  onAddSecond,
}: {
  readonly proxy: ProxyConfig;
  readonly onAddSecond: AddSecond | undefined;
}) {
  const language = useLanguage();
  const t = useProxyTexts();
  const kit = useKitTexts();
  const toast = useToast();
  const [chosen, setChosen] = useState<InstallChoice | null>(null);
  const earlier = useEarlierConnector(proxy);
  const { server } = useSharedServer(proxy);
  const choice = chosen ?? { ...firstChoice, replaces: earlier === 'connected' };
  const { data, error, isPending, isFetching, refetch } = useQuery({
    // Not below the proxy's other queries: what outdates those does not outdate a token.
    queryKey: ['tunnel-token', proxy.id, proxy.cfTunnelId],
    queryFn: () => call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id }, { language }),
    gcTime: 0,
    staleTime: 0,
  });
  useEffect(() => {
    if (error) toast({ title: t('install.tokenToast'), text: t('install.tokenToast.text'), tone: 'error' });
  }, [error, t]);
  if (isPending || earlier === 'asked') return <Loading text={t('install.loading')} />;
  if (!data)
    return (
      <div className={styles.blocks}>
        <Alert type="error" showIcon title={t('install.tokenFailed')} description={error.message} />
        <Button type="primary" loading={isFetching} onClick={() => void refetch()}>
          {kit('error.retry')}
        </Button>
      </div>
    );
  return (
    <div className={styles.blocks}>
      <InstallProgress proxy={proxy} choice={choice} />
      <TokenShared server={server} />
      {proxy.status === 'active' && (
        <>
          <AfterInstall proxy={proxy} system={systemOf(choice)} />
          <p className={`${styles.step} ${styles.again}`}>{t('install.guide')}</p>
        </>
      )}
      <InstallGuide proxy={proxy} token={data.token} choice={choice} onChoose={setChosen} />
      {onAddSecond && <SecondProxy proxy={proxy} onAdd={() => onAddSecond(proxy)} />}
      <div>
        <p className={styles.step}>{t('install.token')}</p>
        <TokenLine token={data.token} label={t('install.token')} />
      </div>
      <FirewallNote />
    </div>
  );
}

/** Whether a connector was connected to an earlier tunnel of the proxy; one nobody knows of was not. */
function useEarlierConnector({ id, tunnelHealth }: ProxyConfig): 'asked' | 'connected' | 'none' {
  const isNew = tunnelHealth === 'inactive';
  const { data, isPending } = useQuery({ ...proxyHealthQuery(id), enabled: isNew });
  if (!isNew) return 'none';
  if (isPending) return 'asked';
  return data?.uptime.firstConnectedAt ? 'connected' : 'none';
}

/** That the panel needs another proxy, with the way to it; nothing for one that does not. */
function SecondProxy({ proxy, onAdd }: { readonly proxy: ProxyConfig; readonly onAdd: () => void }) {
  const t = useProxyTexts();
  const { name: panel, second } = proxy.panel === 'own' ? {} : panelPresets[proxy.panel];
  if (!panel || !second) return null;
  return (
    <Alert
      type="info"
      showIcon
      title={t('second.title', { ...second, panel })}
      description={t('second.text', { ...second, panel })}
      action={
        <Button size="small" onClick={onAdd}>
          {t('second.add')}
        </Button>
      }
    />
  );
}

/** That a connector would find no way from another machine. */
export function OnlyHere() {
  const t = useProxyTexts();
  const { edge, tunnelDomain } = panelConfig();
  return (
    <Alert
      type="warning"
      showIcon
      title={t('install.onlyHere')}
      description={t('install.onlyHere.text', { address: edge?.address ?? '', domain: tunnelDomain })}
    />
  );
}

export function FirewallNote() {
  const t = useProxyTexts();
  const language = useLanguage();
  const config = panelConfig();
  const ports = formatList(outboundPorts(config), language);
  const protocols = formatList(outboundProtocols(config), language);
  return (
    <Alert
      type="info"
      showIcon
      title={t('install.firewall')}
      description={t('install.firewall.text', { ports, protocols })}
    />
  );
}
