import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { type ApiError, toast, useChange } from '../core.ts';
import { ConfirmDialog } from '../form.ts';
import { useProxyTexts } from './texts.ts';
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
  const kept = useKept(proxy);
  const { mutateAsync, isPending } = useChange('DELETE /api/tunnel-configs/:id');
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
        toast({ title: t('delete.failed'), text: message, tone: 'error' });
        // Deleted elsewhere: nothing is left to confirm.
        if (status === 404) onClose();
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
      {t('delete.text', { name: kept?.serverName ?? '', address: kept?.cfDomain ?? '' })}
    </ConfirmDialog>
  );
}
