import type { Proxy as ProxyConfig, TunnelStatus } from '@talpa/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { proxyKey, toast, useChange } from '../core.ts';
import { ConfirmDialog } from '../form.ts';
import { Button } from '../ui.ts';
import { useProxyTexts } from './texts.ts';

/** Replaces the tunnel after a question: the connector must be installed again. */
export function RecreateButton(props: {
  readonly proxy: ProxyConfig;
  readonly onRecreated?: (status: TunnelStatus) => void;
}) {
  const t = useProxyTexts();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { mutate, isPending } = useChange('POST /api/recreate-tunnel/:id');
  const recreate = () =>
    mutate(
      { id: props.proxy.id },
      {
        onSuccess: (status) => {
          setAsking(false);
          props.onRecreated?.(status);
          void client.invalidateQueries({ queryKey: proxyKey(props.proxy.id) });
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
