import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, shortToken, toast, useLanguage } from '../core.ts';
import { Alert, CopyButton, ErrorCard, Loading } from '../ui.ts';
import { InstallGuide } from './install-guide.tsx';
import styles from './proxies.module.css';
import { ProxyModal } from './proxy-modal.tsx';
import { RecreateButton } from './status-dialog.tsx';
import { useProxyTexts } from './texts.ts';

/** How to install the connector, with the tunnel's token. */
export function InstallDialog(props: { readonly proxy: ProxyConfig | null; readonly onClose: () => void }) {
  const t = useProxyTexts();
  return (
    <ProxyModal {...props} title={(name) => t('install.title', { name })} width={640}>
      {(proxy) => <Instructions proxy={proxy} />}
    </ProxyModal>
  );
}

function Instructions({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  if (proxy.status === 'pending') return <Loading text={t('install.pending')} />;
  if (!proxy.cfTunnelId)
    return (
      <div className={styles.blocks}>
        <Alert
          type="warning"
          showIcon
          title={t('install.noTunnel')}
          description={t('install.noTunnel.text')}
        />
        <RecreateButton proxy={proxy} />
      </div>
    );
  return <WithToken proxy={proxy} />;
}

/** The token is asked for each time and kept nowhere: not in the cache either. */
function WithToken({ proxy }: { readonly proxy: ProxyConfig }) {
  const language = useLanguage();
  const t = useProxyTexts();
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: ['/api/tunnel-configs', proxy.id, 'tunnel-token'],
    queryFn: () => call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id }, { language }),
    gcTime: 0,
    staleTime: 0,
  });
  useEffect(() => {
    if (error) toast({ title: t('install.tokenToast'), text: t('install.tokenToast.text'), tone: 'error' });
  }, [error, t]);
  if (isPending) return <Loading text={t('install.loading')} />;
  if (error)
    return (
      <ErrorCard
        title={t('install.tokenFailed')}
        text={error.message}
        retry={() => void refetch()}
        retrying={isFetching}
      />
    );
  return (
    <div className={styles.blocks}>
      <div>
        <p className={styles.step}>{t('install.token')}</p>
        <div className={styles.token}>
          <code className="secret">{shortToken(data.token)}</code>
          <CopyButton text={data.token} label={t('install.token')} />
        </div>
      </div>
      <InstallGuide proxy={proxy} token={data.token} />
      <Alert type="info" title={t('install.firewall')} description={t('install.firewall.text')} />
    </div>
  );
}
