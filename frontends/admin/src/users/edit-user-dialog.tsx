import type { User } from '@talpa/contracts';
import { adminUserQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { FormDialog, useLatest, useOpening } from '@talpa/panel-kit/form';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { toRequest, UserFields, type UserValues, useDescribeField } from './user-fields.tsx';

const valuesOf = (user: User): UserValues => ({
  username: user.username,
  password: '',
  isAdmin: user.isAdmin,
  subscriptionTier: user.subscriptionTier ?? 'none',
  proxyLimit: user.proxyLimit,
});

interface Props {
  readonly open: boolean;
  readonly user: User;
  readonly onClose: () => void;
  readonly onSaved?: (user: User) => void;
}

/** Changes a user; an empty password keeps the current one. */
export function EditUserDialog(props: Props) {
  const opening = useOpening(props.open);
  return opening > 0 && <EditUserForm key={opening} {...props} />;
}

function EditUserForm({ open, user, onClose, onSaved }: Props) {
  const t = useAdminTexts();
  const toast = useToast();
  const describe = useDescribeField();
  const { record, isGone, refetch, replace } = useLatest(user, adminUserQuery(user.id), open);
  const { mutateAsync } = useApiMutation('PUT /api/admin/users/:id');
  const save = async (values: UserValues, base: Partial<UserValues>) => {
    const { password: _typed, ...expected } = toRequest({ ...valuesOf(record), ...base });
    const saved = await mutateAsync({ id: user.id, ...toRequest(values), expected });
    replace(saved);
    onSaved?.(saved);
    toast({ title: t('edit.done'), text: t('edit.doneText'), tone: 'success' });
    onClose();
  };
  // Beside what the form itself says.
  const toastFailure = (error: Error) =>
    toast({ title: t('failed'), text: error.message || t('edit.failed'), tone: 'error' });
  return (
    <FormDialog<UserValues>
      open={open}
      title={t('edit.title')}
      submit={t('form.save')}
      failed={t('edit.failed')}
      onRefused={(_form, error) => error && toastFailure(error)}
      values={valuesOf(record)}
      describe={describe}
      isGone={isGone}
      onOutdated={refetch}
      onSubmit={save}
      onClose={onClose}
    >
      <UserFields keepPassword />
    </FormDialog>
  );
}
