import type { User } from '@talpa/contracts';
import { toast, useChange } from '@talpa/panel-kit/core';
import { ConfirmDialog, SuspensionForm } from '@talpa/panel-kit/form';
import { useAdminTexts } from '../texts/admin-texts.ts';

interface Props {
  readonly open: boolean;
  readonly user: User;
  readonly onClose: () => void;
}

/** Suspends a user and all he has with a reason, or changes the reason. */
export function SuspendUserDialog({ open, user, onClose }: Props) {
  const t = useAdminTexts();
  const { mutateAsync } = useChange('POST /api/admin/users/:id/suspension');
  const { suspension, username: name } = user;
  const suspend = async (reason: string) => {
    await mutateAsync({ id: user.id, reason });
    toast({ title: t('suspend.done'), text: t('suspend.doneText', { name }), tone: 'success' });
    onClose();
  };
  return (
    <SuspensionForm
      key={user.id}
      open={open}
      title={suspension ? t('suspend.changeTitle') : t('suspend.title', { name })}
      submit={suspension ? t('suspend.change') : t('suspend.confirm')}
      failed={t('suspend.failed')}
      effect={t('suspend.text')}
      reason={suspension?.reason ?? null}
      onSubmit={suspend}
      onClose={onClose}
    />
  );
}

/** Lifts a user's suspension after a question. */
export function LiftUserDialog({ open, user, onClose }: Props) {
  const t = useAdminTexts();
  const { mutate, isPending } = useChange('DELETE /api/admin/users/:id/suspension');
  const name = user.username;
  const lift = () =>
    mutate(
      { id: user.id },
      {
        onSuccess: () => {
          toast({ title: t('lift.done'), text: t('lift.doneText', { name }), tone: 'success' });
          onClose();
        },
        onError: ({ message }) => toast({ title: t('lift.failed'), text: message, tone: 'error' }),
      },
    );
  return (
    <ConfirmDialog
      open={open}
      title={t('lift.title')}
      confirm={t('lift.confirm')}
      pending={isPending}
      onConfirm={lift}
      onCancel={onClose}
    >
      {t('lift.text', { name })}
    </ConfirmDialog>
  );
}
