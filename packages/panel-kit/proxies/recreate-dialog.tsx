import type { Proxy as ProxyConfig, TunnelStatus } from '@talpa/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { proxyKey, toast, useChange } from '../core.ts';
import { ConfirmDialog } from '../form.ts';
import { useProxyTexts } from './texts.ts';
import { useKept } from './use-kept.ts';

/** Whether a proxy needs a new tunnel: it has none, and none is being made. */
export const lacksTunnel = (proxy: ProxyConfig) => !proxy.cfTunnelId && proxy.status !== 'pending';

/** Replaces a proxy's tunnel after a question: the connector must be installed again. Open while there is a proxy. */
export function RecreateDialog(props: {
  readonly proxy: ProxyConfig | null;
  readonly onClose: () => void;
  readonly onRecreated?: ((status: TunnelStatus, proxy: ProxyConfig) => void) | undefined;
}) {
  const t = useProxyTexts();
  const client = useQueryClient();
  const kept = useKept(props.proxy);
  const { mutate, isPending } = useChange('POST /api/recreate-tunnel/:id');
  const recreate = (proxy: ProxyConfig) =>
    mutate(
      { id: proxy.id },
      {
        onSuccess: (status) => {
          props.onClose();
          props.onRecreated?.(status, proxy);
          void client.invalidateQueries({ queryKey: proxyKey(proxy.id) });
          toast({ title: t('recreate.done'), text: t('recreate.doneText'), tone: 'success' });
        },
        onError: ({ message }) => {
          props.onClose();
          toast({ title: t('recreate.failed'), text: message, tone: 'error' });
        },
      },
    );
  return (
    <ConfirmDialog
      open={props.proxy !== null}
      title={t('recreate.title')}
      confirm={t('recreate.button')}
      danger
      pending={isPending}
      onConfirm={() => kept && recreate(kept)}
      onCancel={props.onClose}
    >
      {t('recreate.text')}
    </ConfirmDialog>
  );
}
