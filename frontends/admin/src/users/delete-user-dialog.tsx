import type { User } from '@talpa/contracts';
import { type ApiError, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useAdminTexts } from '../texts/admin-texts.ts';

/** Deletes a user after a question. */
export function DeleteUserDialog(props: {
  readonly open: boolean;
  readonly user: User;
  readonly onClose: () => void;
  /** Called when it has been confirmed. */
  readonly onStart?: () => void;
  readonly onDeleted?: () => void;
}) {
  const t = useAdminTexts();
  const toast = useToast();
  const { mutateAsync, isPending } = useApiMutation('DELETE /api/admin/users/:id');
  // By promise: his page goes before the callbacks of `mutate` would come.
  const remove = () => {
    props.onStart?.();
    return mutateAsync({ id: props.user.id }).then(
      () => {
        toast({ title: t('delete.done'), text: t('delete.doneText'), tone: 'success' });
        props.onClose();
        props.onDeleted?.();
      },
      ({ message, status }: ApiError) => {
        toast({ title: t('failed'), text: message || t('delete.failed'), tone: 'error' });
        // Deleted elsewhere: nothing is left to confirm.
        if (status === 404) props.onClose();
      },
    );
  };
  return (
    <ConfirmDialog
      open={props.open}
      title={t('delete.title')}
      confirm={t('delete.confirm')}
      danger
      pending={isPending}
      onConfirm={remove}
      onCancel={props.onClose}
    >
      {t('delete.text', { name: props.user.username })}
    </ConfirmDialog>
  );
}
