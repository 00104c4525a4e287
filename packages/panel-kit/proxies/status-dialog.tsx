import type { Proxy as ProxyConfig, TunnelStatus } from '@talpa/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, proxiesQuery, toast, useChange } from '../core.ts';
import { ConfirmDialog } from '../form.ts';
import { Button, ErrorCard, Loading, Tag } from '../ui.ts';
import styles from './proxies.module.css';
import { ProxyModal } from './proxy-modal.tsx';
import { useProxyTexts } from './texts.ts';

const colors = {
  healthy: 'success',
  degraded: 'warning',
  inactive: 'default',
  down: 'error',
  not_found: 'error',
} as const;

/** What the provider says of a proxy's tunnel, and the way to a new one. */
export function StatusDialog(props: { readonly proxy: ProxyConfig | null; readonly onClose: () => void }) {
  const t = useProxyTexts();
  return (
    <ProxyModal {...props} title={(name) => t('check.title', { name })} width={480}>
      {(proxy) => <Status proxy={proxy} />}
    </ProxyModal>
  );
}

function Status({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  const queries = useQueryClient();
  const key = ['/api/tunnel-status', proxy.id];
  const status = useQuery({
    queryKey: key,
    queryFn: async () => {
      const answer = await call('GET /api/tunnel-status/:id', { id: proxy.id });
      // A tunnel found gone is noted by the server: the list tells it too.
      if (answer.status === 'not_found') void queries.invalidateQueries(proxiesQuery);
      return answer;
    },
    gcTime: 0,
  });
  useEffect(() => {
    if (status.isError) toast({ title: t('check.failed'), text: status.error.message, tone: 'error' });
  }, [status.isError, status.error, t]);
  if (status.isPending) return <Loading text={t('check.running')} />;
  if (status.isError)
    return (
      <ErrorCard
        title={t('check.failed')}
        error={status.error}
        retry={() => void status.refetch()}
        retrying={status.isFetching}
      />
    );
  return (
    <div className={styles.blocks}>
      <dl className={styles.facts}>
        <dt>{t('check.tunnelId')}</dt>
        <dd className={styles.mono}>{status.data.tunnelId ?? '–'}</dd>
        <dt>{t('check.status')}</dt>
        <dd>
          <Tag color={colors[status.data.status]}>{t(`tunnel.${status.data.status}`)}</Tag>
        </dd>
      </dl>
      {status.data.status === 'not_found' && <p>{t('check.notFound')}</p>}
      <RecreateButton proxy={proxy} onRecreated={(next) => queries.setQueryData(key, next)} />
    </div>
  );
}

/** Replaces the tunnel after a question: the connector must be installed again. */
export function RecreateButton(props: {
  readonly proxy: ProxyConfig;
  readonly onRecreated?: (status: TunnelStatus) => void;
}) {
  const t = useProxyTexts();
  const [asking, setAsking] = useState(false);
  const { mutate, isPending } = useChange('POST /api/recreate-tunnel/:id');
  const recreate = () =>
    mutate(
      { id: props.proxy.id },
      {
        onSuccess: (status) => {
          setAsking(false);
          props.onRecreated?.(status);
          toast({ title: t('recreate.done'), text: t('recreate.doneText'), tone: 'success' });
        },
        onError: ({ message }) => {
          setAsking(false);
          toast({ title: t('recreate.failed'), text: message, tone: 'error' });
        },
      },
    );
  return (
    <>
      <Button onClick={() => setAsking(true)} loading={isPending}>
        {t('recreate.button')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('recreate.title')}
        confirm={t('recreate.button')}
        danger
        pending={isPending}
        onConfirm={recreate}
        onCancel={() => setAsking(false)}
      >
        {t('recreate.text')}
      </ConfirmDialog>
    </>
  );
}
