import type { User } from '@talpa/contracts';
import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { FormDialog } from '@talpa/panel-kit/form';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { toRequest, UserFields, type UserValues } from './user-fields.tsx';

const newUser: UserValues = {
  username: '',
  password: '',
  isAdmin: false,
  subscriptionTier: 'none',
  proxyLimit: 0,
};

/** Creates a user. */
export function CreateUserDialog({
  open,
  onClose,
  onCreated,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onCreated: (user: User) => void;
}) {
  const t = useAdminTexts();
  const toast = useToast();
  const { mutateAsync } = useApiMutation('POST /api/admin/users');
  const submit = async (values: UserValues) => {
    onCreated(await mutateAsync(toRequest(values)));
    toast({ title: t('create.done'), text: t('create.doneText'), tone: 'success' });
    onClose();
  };
  // Beside what the form itself says.
  const toastFailure = (error: Error) =>
    toast({ title: t('failed'), text: error.message || t('create.failed'), tone: 'error' });
  return (
    <FormDialog<UserValues>
      open={open}
      title={t('create.title')}
      submit={t('form.create')}
      failed={t('create.failed')}
      onRefused={(_form, error) => error && toastFailure(error)}
      values={newUser}
      onSubmit={submit}
      onClose={onClose}
    >
      <UserFields keepPassword={false} />
    </FormDialog>
  );
}
