import type { ApiKey } from '@talpa/contracts';
import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useApiKeyTexts } from './texts.ts';

/** Revokes an API key after a question. */
export function RevokeDialog({
  open,
  apiKey: { id, name },
  onClose,
}: {
  readonly open: boolean;
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}) {
  const t = useApiKeyTexts();
  const toast = useToast();
  const { mutate, isPending } = useApiMutation('DELETE /api/user/api-keys/:id');
  const revoke = () =>
    mutate(
      { id },
      {
        onSuccess: () => {
          onClose();
          toast({ title: t('revoke.done'), text: name, tone: 'success' });
        },
        onError: ({ message }) => toast({ title: t('revoke.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={open}
      title={t('revoke.title')}
      confirm={t('revoke.submit')}
      danger
      pending={isPending}
      onConfirm={revoke}
      onCancel={onClose}
    >
      {t('revoke.text', { name })}
    </ConfirmDialog>
  );
}
