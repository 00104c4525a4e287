import { useResetPassword, useToast } from '@talpa/panel-kit/core';
import {
  Form,
  fields,
  PasswordInput,
  useFieldRules,
  useRepetitionRule,
  useSubmit,
} from '@talpa/panel-kit/form';
import { useNavigate } from '@talpa/panel-kit/router';
import { authPath } from '../paths.ts';
import { AuthForm } from './auth-form.tsx';
import { type OneTimeLink, OneTimeLinkPage } from './one-time-link-page.tsx';
import { useAuthTexts } from './texts.ts';

interface Values {
  readonly newPassword: string;
  readonly repeated: string;
}

/** Where a reset link leads: users set a new password. */
export function ResetPage() {
  const t = useAuthTexts();
  return (
    <OneTimeLinkPage
      title={t('reset.title')}
      incomplete={t('reset.incomplete')}
      isFinal={(code) => code.startsWith('reset_link_')}
    >
      {(link) => <ResetForm {...link} />}
    </OneTimeLinkPage>
  );
}

function ResetForm({ token, use }: OneTimeLink) {
  const t = useAuthTexts();
  const toast = useToast();
  const navigate = useNavigate();
  const rules = useFieldRules();
  const repetition = useRepetitionRule('newPassword');
  const [form] = Form.useForm<Values>();
  const { mutateAsync } = useResetPassword();
  const { submit, pending, problem } = useSubmit(form, async ({ newPassword }: Values) => {
    if (!(await use(() => mutateAsync({ token, newPassword })))) return;
    void navigate(authPath, { replace: true });
    toast({ title: t('reset.done'), text: t('reset.doneText'), tone: 'success' });
  });
  return (
    <AuthForm
      form={form}
      onSubmit={submit}
      error={problem}
      errorTitle={t('reset.failed')}
      submit={pending ? t('reset.pending') : t('reset.submit')}
      pending={pending}
    >
      <p>{t('reset.text')}</p>
      <Form.Item name="newPassword" label={t('reset.password')} rules={rules(fields.newPassword)}>
        <PasswordInput size="large" autoComplete="new-password" autoFocus />
      </Form.Item>
      <Form.Item name="repeated" label={t('auth.confirmPassword')} rules={[repetition]}>
        <PasswordInput size="large" autoComplete="new-password" />
      </Form.Item>
    </AuthForm>
  );
}
