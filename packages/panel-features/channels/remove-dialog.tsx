import type { InstallationChannel } from '@talpa/contracts';
import { useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useShownChannels } from './channels.ts';
import { useChannelTexts } from './texts.ts';

/** Deletes a channel. */
export function RemoveDialog({
  open,
  channel: { id, name },
  onClose,
}: {
  readonly open: boolean;
  readonly channel: InstallationChannel;
  readonly onClose: () => void;
}) {
  const t = useChannelTexts();
  const toast = useToast();
  const { mutate, isPending } = useShownChannels().useRemove();
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
