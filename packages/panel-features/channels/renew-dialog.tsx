import type { InstallationChannel } from '@talpa/contracts';
import { useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useShownChannels } from './channels.ts';
import { useChannelTexts } from './texts.ts';

/** Gives a webhook a new secret. */
export function RenewDialog(props: {
  readonly open: boolean;
  readonly channel: InstallationChannel;
  readonly onDone: (secret: string | null) => void;
  readonly onClose: () => void;
}) {
  const t = useChannelTexts();
  const toast = useToast();
  const { mutate, isPending } = useShownChannels().useRenew();
  const renew = () =>
    mutate(
      { id: props.channel.id },
      {
        onSuccess: ({ secret }) => props.onDone(secret),
        onError: ({ message }) => toast({ title: t('renew.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={props.open}
      title={t('renew.title')}
      confirm={t('renew.submit')}
      pending={isPending}
      onConfirm={renew}
      onCancel={props.onClose}
    >
      {t('renew.text')}
    </ConfirmDialog>
  );
}
