import type { User } from '@talpa/contracts';
import { adminUserQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { SuspensionForm, useConfirm, useLatest, useOpening } from '@talpa/panel-kit/form';
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
export function useLiftSuspension() {
  const t = useAdminTexts();
  return useConfirm(
    useApiMutation('DELETE /api/admin/users/:id/suspension'),
    ({ id, username: name }: User) => ({
      title: t('lift.title'),
      text: t('lift.text', { name }),
      confirm: t('lift.confirm'),
      danger: false,
      input: { id },
      done: { title: t('lift.done'), text: t('lift.doneText', { name }) },
      failed: t('lift.failed'),
      query: adminUserQuery(id),
      already: { isDone: ({ suspension }) => suspension === null, title: t('lift.alreadyDone') },
    }),
  );
}
