import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { toast, useChange } from '../core.ts';
import { ConfirmDialog } from '../form.ts';
import { useProxyTexts } from './texts.ts';
import { useKept } from './use-kept.ts';

/** Deletes a proxy after a question. */
export function DeleteDialog({
  proxy,
  onClose,
}: {
  readonly proxy: ProxyConfig | null;
  readonly onClose: () => void;
}) {
  const t = useProxyTexts();
  const kept = useKept(proxy);
  const { mutate, isPending } = useChange('DELETE /api/tunnel-configs/:id');
  const remove = () =>
    kept &&
    mutate(
      { id: kept.id },
      {
        onSuccess: () => {
          toast({
            title: t('delete.done'),
            text: t('delete.doneText', { name: kept.serverName }),
            tone: 'success',
          });
          onClose();
        },
        onError: ({ message }) => toast({ title: t('delete.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={proxy !== null}
      title={t('delete.title')}
      confirm={t('delete.confirm')}
      danger
      pending={isPending}
      onConfirm={() => remove()}
      onCancel={onClose}
    >
      {t('delete.text', { name: kept?.serverName ?? '', address: kept?.cfDomain ?? '' })}
    </ConfirmDialog>
  );
}
