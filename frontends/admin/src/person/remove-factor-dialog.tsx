import type { User } from '@talpa/contracts';
import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useAdminTexts } from '../texts/admin-texts.ts';

/** Removes app and passkeys of somebody who has lost them. */
export function RemoveFactorDialog(props: {
  readonly open: boolean;
  readonly user: User;
  readonly onClose: () => void;
}) {
  const t = useAdminTexts();
  const toast = useToast();
  const { mutate, isPending } = useApiMutation('DELETE /api/admin/users/:id/second-factor');
  const name = props.user.username;
  const remove = () =>
    mutate(
      { id: props.user.id },
      {
        onSuccess: () => {
          toast({ title: t('factor.done'), text: t('factor.doneText', { name }), tone: 'success' });
          props.onClose();
        },
        onError: ({ message }) => toast({ title: t('factor.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={props.open}
      title={t('factor.title')}
      confirm={t('factor.confirm')}
      danger
      pending={isPending}
      onConfirm={remove}
      onCancel={props.onClose}
    >
      {t('factor.text', { name })}
    </ConfirmDialog>
  );
}
