import type { ProxyConfig, TunnelStatus } from '@talpa/contracts';
import { publicUrl } from '@talpa/contracts/subdomain';
import { ApiError, call, useToast } from '@talpa/panel-kit/core';
import { Button, ErrorCard, Facts, Loading, Tag } from '@talpa/panel-kit/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { mayDo } from './action-roles.ts';
import { ProxyActionButton } from './actions.tsx';
import { LostSince } from './lost-since.tsx';
import styles from './proxies.module.css';
import { ProxyModal } from './proxy-modal.tsx';
import { RecreateButton } from './recreate-button.tsx';
import { useProxyTexts } from './texts.ts';

const colors = {
  online: 'success',
  healthy: 'success',
  degraded: 'warning',
  inactive: 'default',
  down: 'error',
  not_found: 'error',
} as const;

/** What the provider says of a proxy's tunnel, and the way to a new one. */
export function StatusDialog(props: {
  readonly proxy: ProxyConfig | null;
  readonly onClose: () => void;
  /** Opens the instructions in its place. */
  readonly onInstall: (proxy: ProxyConfig) => void;
}) {
  const t = useProxyTexts();
  const [installing, setInstalling] = useState<ProxyConfig | null>(null);
  // Opened for another before this one had closed: what was chosen in it is over.
  if (props.proxy && installing) setInstalling(null);
  const install = (proxy: ProxyConfig) => {
    setInstalling(proxy);
    props.onClose();
  };
  // Not before: the focus has to be back where this dialog took it from.
  const installNow = () => {
    setInstalling(null);
    if (installing) props.onInstall(installing);
  };
  return (
    <ProxyModal
      proxy={props.proxy}
      onClose={props.onClose}
      afterClose={installNow}
      title={(name) => t('check.title', { name })}
      width={520}
    >
      {(proxy) => <Status proxy={proxy} onInstall={install} />}
    </ProxyModal>
  );
}

/** As the list and the dashboard say it. */
function TunnelWord({
  status,
  proxy,
}: {
  readonly status: keyof typeof colors;
  readonly proxy: ProxyConfig;
}) {
  const t = useProxyTexts();
  if (status === 'inactive') return t('status.never');
  if (status !== 'down') return t(`tunnel.${status}`);
  return <LostSince at={proxy.tunnelHealth === 'down' ? proxy.tunnelHealthAt : null} />;
}

function Status(props: { readonly proxy: ProxyConfig; readonly onInstall: (proxy: ProxyConfig) => void }) {
  const { proxy } = props;
  const t = useProxyTexts();
  const toast = useToast();
  const queries = useQueryClient();
  const key = ['/api/tunnel-status', proxy.id];
  const status = useQuery({
    queryKey: key,
    queryFn: () => call('GET /api/tunnel-status/:id', { id: proxy.id }),
    gcTime: 0,
  });
  const isMissing = status.error instanceof ApiError && status.error.status === 404;
  const isFailed = status.isError && !isMissing;
  useEffect(() => {
    if (isFailed && status.error)
      toast({ title: t('check.failed'), text: status.error.message, tone: 'error' });
  }, [isFailed, status.error, t]);
  const isGone = isMissing || status.data?.status === 'not_found';
  useEffect(() => {
    if (isGone) toast({ title: t('install.noTunnel'), text: t('check.notFound'), tone: 'error' });
  }, [isGone, t]);
  if (status.isPending) return <Loading text={t('check.running')} />;
  // A response that says nothing of the status means that all is well.
  const word = isMissing
    ? 'not_found'
    : ((status.data?.status as TunnelStatus['status'] | undefined) ?? 'online');
  if (isFailed)
    return (
      <ErrorCard
        title={t('check.failed')}
        error={status.error}
        retry={() => void status.refetch()}
        retrying={status.isFetching}
      />
    );
  const isWell = word === 'online' || word === 'healthy';
  const isConnected = isWell || word === 'degraded';
  const { suspension, paused } = proxy;
  const stops = suspension ? 'suspended' : 'paused';
  return (
    <div className={styles.blocks}>
      <Facts
        as="framed"
        facts={[
          [
            t('check.status'),
            <Tag key="status" color={colors[word]}>
              <TunnelWord status={word} proxy={proxy} />
            </Tag>,
          ],
          [
            t('check.tunnelId'),
            <span key="id" className={styles.mono}>
              {status.data?.tunnelId ?? '–'}
            </span>,
          ],
        ]}
      />
      {isConnected && (suspension || paused) && <p className={styles.aside}>{t(`check.${stops}`)}</p>}
      {!isConnected && !isGone && suspension && <p className={styles.aside}>{t('check.suspended.away')}</p>}
      {mayDo(proxy, 'recreate') && (
        <>
          {!isWell && (isGone || !suspension) && (
            <p className={styles.aside}>{t(isGone ? 'check.notFound' : 'check.recreate')}</p>
          )}
          <div className={styles.ending}>
            <RecreateButton
              proxy={proxy}
              isNext={isGone}
              onRecreated={(next) => queries.setQueryData(key, next)}
              onInstall={props.onInstall}
            />
            {isWell && !suspension && !paused && (
              <Button type="primary" href={publicUrl(proxy)} target="_blank" rel="noreferrer">
                {t('install.open')}
              </Button>
            )}
            {word === 'inactive' && (
              <ProxyActionButton
                proxy={proxy}
                action="install"
                type="primary"
                onClick={() => props.onInstall(proxy)}
              />
            )}
          </div>
        </>
      )}
    </div>
  );
}
