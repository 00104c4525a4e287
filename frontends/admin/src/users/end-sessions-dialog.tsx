import type { User } from '@talpa/contracts';
import { useApiMutation, useToast, useUser } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useAdminTexts } from '../texts/admin-texts.ts';

/** Signs a user out everywhere after a question; oneself everywhere else. */
export function EndSessionsDialog(props: {
  readonly open: boolean;
  readonly user: User;
  readonly onClose: () => void;
}) {
  const t = useAdminTexts();
  const toast = useToast();
  const isMe = useUser().id === props.user.id;
  const { mutate, isPending } = useApiMutation('DELETE /api/admin/users/:id/sessions');
  const name = props.user.username;
  const end = () =>
    mutate(
      { id: props.user.id },
      {
        onSuccess: () => {
          const text = isMe ? t('sessions.doneTextOwn') : t('sessions.doneText', { name });
          toast({ title: t('sessions.done'), text, tone: 'success' });
          props.onClose();
        },
        onError: ({ message }) => toast({ title: t('sessions.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={props.open}
      title={t('sessions.title')}
      confirm={t('sessions.confirm')}
      danger
      pending={isPending}
      onConfirm={end}
      onCancel={props.onClose}
    >
      {isMe ? t('sessions.textOwn') : t('sessions.text', { name })}
    </ConfirmDialog>
  );
}
