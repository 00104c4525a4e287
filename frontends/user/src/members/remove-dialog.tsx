import type { Member } from '@talpa/contracts';
import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useMemberTexts } from './texts.ts';

/** Removes a member, or withdraws an invitation, after a question. */
export function RemoveDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  readonly member: Member;
  readonly name: string;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}) {
  const t = useMemberTexts();
  const toast = useToast();
  const { name, member } = props;
  const what = member.joinedAt ? 'remove' : 'withdraw';
  const { mutate, isPending } = useApiMutation('DELETE /api/tunnel-configs/:id/members/:memberId');
  const remove = () =>
    mutate(
      { id: props.proxyId, memberId: member.id },
      {
        onSuccess: () => {
          props.onClose();
          props.onRemoved();
          toast({ title: t(`removal.${what}.done`), text: name, tone: 'success' });
        },
        onError: ({ message }) => toast({ title: t('removal.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={props.open}
      title={t(`removal.${what}.title`)}
      confirm={t(`removal.${what}`)}
      danger
      pending={isPending}
      onConfirm={remove}
      onCancel={props.onClose}
    >
      {t(`removal.${what}.text`, { name })}
    </ConfirmDialog>
  );
}
