import type { User } from '@talpa/contracts';
import { toast, useChange } from '@talpa/panel-kit/core';
import { Form, FormDialog } from '@talpa/panel-kit/form';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { UserFields, type UserValues } from './user-fields.tsx';

const valuesOf = (user: User): UserValues => ({
  username: user.username,
  password: '',
  isAdmin: user.isAdmin,
  subscriptionTier: user.subscriptionTier ?? 'none',
  proxyLimit: user.proxyLimit,
});

/** Changes a user; an empty password keeps the current one. */
export function EditUserDialog(props: {
  readonly open: boolean;
  readonly user: User;
  readonly onClose: () => void;
  readonly onSaved?: (user: User) => void;
}) {
  const t = useAdminTexts();
  const [form] = Form.useForm<UserValues>();
  const { mutateAsync } = useChange('PUT /api/admin/users/:id');
  const submit = async (values: UserValues) => {
    try {
      const saved = await mutateAsync({ id: props.user.id, ...values });
      props.onSaved?.(saved);
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      toast({ title: t('failed'), text: message || t('edit.failed'), tone: 'error' });
      throw error;
    }
    toast({ title: t('edit.done'), text: t('edit.doneText'), tone: 'success' });
    props.onClose();
  };
  return (
    <FormDialog<UserValues>
      open={props.open}
      title={t('edit.title')}
      submit={t('form.save')}
      failed={t('edit.failed')}
      initialValues={valuesOf(props.user)}
      form={form}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <UserFields form={form} keepPassword />
    </FormDialog>
  );
}
