import type { User } from '@talpa/contracts';
import { type ApiError, adminUserQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog, useCloseGone, WhileThere } from '@talpa/panel-kit/form';
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
  const closeGone = useCloseGone(props.onClose);
  // By promise: their page goes before the callbacks of `mutate` would come.
  const remove = () => {
    props.onStart?.();
    return mutateAsync({ id: props.user.id }).then(
      () => {
        toast({ title: t('delete.done'), text: t('delete.doneText'), tone: 'success' });
        props.onClose();
        props.onDeleted?.();
      },
      ({ message, status }: ApiError) => {
        // What was wanted has come true.
        if (status === 404) closeGone();
        else toast({ title: t('failed'), text: message || t('delete.failed'), tone: 'error' });
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
      {props.open && !isPending && (
        <WhileThere record={props.user} query={adminUserQuery(props.user.id)} onGone={closeGone} />
      )}
    </ConfirmDialog>
  );
}
