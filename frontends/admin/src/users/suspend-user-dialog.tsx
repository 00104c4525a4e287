import type { User } from '@talpa/contracts';
import { adminUserQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import {
  ConfirmDialog,
  SuspensionForm,
  useCloseGone,
  useLatest,
  useOpening,
  WhileThere,
} from '@talpa/panel-kit/form';
import { useAdminTexts } from '../texts/admin-texts.ts';

interface Props {
  readonly open: boolean;
  readonly user: User;
  readonly onClose: () => void;
}

/** Suspends a user and all their proxies with a reason, or changes the reason. */
export function SuspendUserDialog(props: Props) {
  const opening = useOpening(props.open);
  return opening > 0 && <SuspendUserForm key={opening} {...props} />;
}

function SuspendUserForm({ open, user, onClose }: Props) {
  const t = useAdminTexts();
  const toast = useToast();
  const { mutateAsync } = useApiMutation('POST /api/admin/users/:id/suspension');
  const { record, isGone, refetch } = useLatest(user, adminUserQuery(user.id), open);
  const { suspension, username: name } = record;
  const suspend = async (reason: string, expected: string | null) => {
    await mutateAsync({ id: user.id, reason, expected: { reason: expected } });
    toast({ title: t('suspend.done'), text: t('suspend.doneText', { name }), tone: 'success' });
    onClose();
  };
  return (
    <SuspensionForm
      open={open}
      title={suspension ? t('suspend.changeTitle') : t('suspend.title', { name })}
      submit={suspension ? t('suspend.change') : t('suspend.confirm')}
      failed={t('suspend.failed')}
      effect={t('suspend.text')}
      reason={suspension?.reason ?? null}
      isGone={isGone}
      onOutdated={refetch}
      onSubmit={suspend}
      onClose={onClose}
    />
  );
}

/** Lifts a user's suspension after a question. */
export function LiftUserDialog({ open, user, onClose }: Props) {
  const t = useAdminTexts();
  const toast = useToast();
  const { mutate, isPending } = useApiMutation('DELETE /api/admin/users/:id/suspension');
  const name = user.username;
  const closeGone = useCloseGone(onClose);
  const closeLifted = () => {
    toast({ title: t('lift.alreadyDone'), tone: 'info' });
    onClose();
  };
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
      {open && !isPending && (
        <WhileThere
          record={user}
          query={adminUserQuery(user.id)}
          onGone={closeGone}
          isDone={({ suspension }) => suspension === null}
          onDone={closeLifted}
        />
      )}
    </ConfirmDialog>
  );
}
