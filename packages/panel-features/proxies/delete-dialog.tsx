import type { ProxyConfig } from '@talpa/contracts';
import { type ApiError, proxyQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog, useCloseGone, WhileThere } from '@talpa/panel-kit/form';
import { useProxyTexts } from './texts.ts';
import { TextWithHost } from './unbroken-host.tsx';
import { useKept } from './use-kept.ts';

/** Deletes a proxy after a question. */
export function DeleteDialog({
  proxy,
  onClose,
  onStart,
}: {
  readonly proxy: ProxyConfig | null;
  readonly onClose: () => void;
  /** Called when it has been confirmed. */
  readonly onStart?: (() => void) | undefined;
}) {
  const t = useProxyTexts();
  const toast = useToast();
  const kept = useKept(proxy);
  const { mutateAsync, isPending } = useApiMutation('DELETE /api/tunnel-configs/:id');
  const closeGone = useCloseGone(onClose);
  // By promise: the proxy's own page goes before the callbacks of `mutate` would come.
  const remove = (gone: ProxyConfig) => {
    onStart?.();
    return mutateAsync({ id: gone.id }).then(
      () => {
        toast({
          title: t('delete.done'),
          text: t('delete.doneText', { name: gone.serverName }),
          tone: 'success',
        });
        onClose();
      },
      ({ message, status }: ApiError) => {
        // What was wanted has come true.
        if (status === 404) closeGone();
        else toast({ title: t('delete.failed'), text: message, tone: 'error' });
      },
    );
  };
  return (
    <ConfirmDialog
      open={proxy !== null}
      title={t('delete.title')}
      confirm={t('delete.confirm')}
      danger
      pending={isPending}
      onConfirm={() => kept && void remove(kept)}
      onCancel={onClose}
    >
      {kept && (
        <TextWithHost
          text={t('delete.text', { name: kept.serverName, address: kept.cfDomain })}
          host={kept.cfDomain}
        />
      )}
      {proxy && !isPending && (
        <WhileThere key={proxy.id} record={proxy} query={proxyQuery(proxy.id)} onGone={closeGone} />
      )}
    </ConfirmDialog>
  );
}
