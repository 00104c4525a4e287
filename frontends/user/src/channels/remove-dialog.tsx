import type { Channel } from '@talpa/contracts';
import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useChannelTexts } from './texts.ts';

/** Deletes a channel. */
export function RemoveDialog({
  open,
  channel: { id, name },
  onClose,
}: {
  readonly open: boolean;
  readonly channel: Channel;
  readonly onClose: () => void;
}) {
  const t = useChannelTexts();
  const toast = useToast();
  const { mutate, isPending } = useApiMutation('DELETE /api/user/channels/:id');
  const remove = () =>
    mutate(
      { id },
      {
        onSuccess: () => {
          onClose();
          toast({ title: t('remove.done'), text: name, tone: 'success' });
        },
        onError: ({ message }) => toast({ title: t('remove.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={open}
      title={t('remove.title')}
      confirm={t('remove.submit')}
      danger
      pending={isPending}
      onConfirm={remove}
      onCancel={onClose}
    >
      {t('remove.text', { name })}
    </ConfirmDialog>
  );
}
