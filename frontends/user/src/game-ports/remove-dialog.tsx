import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useGamePortTexts } from './texts.ts';

/** Removes a game port after a question. */
export function RemoveDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  readonly portId: number;
  /** Its public address. */
  readonly shown: string;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}) {
  const t = useGamePortTexts();
  const toast = useToast();
  const { mutate, isPending } = useApiMutation('DELETE /api/tunnel-configs/:id/ports/:portId');
  const remove = () =>
    mutate(
      { id: props.proxyId, portId: props.portId },
      {
        onSuccess: () => {
          props.onClose();
          props.onRemoved();
          toast({ title: t('remove.done'), text: props.shown, tone: 'success' });
        },
        onError: ({ message }) => toast({ title: t('remove.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={props.open}
      title={t('remove.title')}
      confirm={t('remove.submit')}
      danger
      pending={isPending}
      onConfirm={remove}
      onCancel={props.onClose}
    >
      {t('remove.text', { address: props.shown })}
    </ConfirmDialog>
  );
}
