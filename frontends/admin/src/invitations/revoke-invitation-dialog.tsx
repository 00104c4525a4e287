import type { Invitation } from '@talpa/contracts';
import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { useInvitationName } from './invitation-rows.tsx';

/** Revokes an invitation after a question. */
export function RevokeInvitationDialog(props: {
  readonly open: boolean;
  readonly invitation: Invitation;
  readonly onClose: () => void;
}) {
  const t = useAdminTexts();
  const toast = useToast();
  const nameOf = useInvitationName();
  const { mutate, isPending } = useApiMutation('DELETE /api/admin/invitations/:id');
  const revoke = () =>
    mutate(
      { id: props.invitation.id },
      {
        onSuccess: () => {
          toast({ title: t('revoke.done'), tone: 'success' });
          props.onClose();
        },
        onError: ({ message }) => toast({ title: t('revoke.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={props.open}
      title={t('revoke.title')}
      confirm={t('revoke.confirm')}
      danger
      pending={isPending}
      onConfirm={revoke}
      onCancel={props.onClose}
    >
      {t('revoke.text', { name: nameOf(props.invitation) })}
    </ConfirmDialog>
  );
}
