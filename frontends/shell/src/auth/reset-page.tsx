import { ApiError, usePageTitle, useResetPassword, useToast } from '@talpa/panel-kit/core';
import {
  clearErrors,
  Form,
  fields,
  focusFirstError,
  PasswordInput,
  useFieldRules,
  useRepetitionRule,
  useSubmit,
} from '@talpa/panel-kit/form';
import { useLocation, useNavigate } from '@talpa/panel-kit/router';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import { authPath } from '../paths.ts';
import { useShellTexts } from '../texts/shell-texts.ts';
import { AuthFrame } from './auth-frame.tsx';
import { UselessLink } from './useless-link.tsx';

/** Where a reset link leads: one sets a new password, whether or not somebody is signed in here. */
export function ResetPage() {
  const t = useShellTexts();
  const token = useLocation().hash.slice(1);
  const isWhole = fields.oneTimeToken.safeParse(token).success;
  usePageTitle(t('reset.title'));
  return (
    <AuthFrame title={t('reset.title')}>
      {/* Another link that is opened in the same tab begins anew. */}
      {isWhole ? <ResetForm key={token} token={token} /> : <UselessLink why={t('reset.incomplete')} />}
    </AuthFrame>
  );
}

interface Values {
  readonly newPassword: string;
  readonly repeated: string;
}

function ResetForm({ token }: { readonly token: string }) {
  const t = useShellTexts();
  const toast = useToast();
  const navigate = useNavigate();
  const rules = useFieldRules();
  const repetition = useRepetitionRule('newPassword');
  const [form] = Form.useForm<Values>();
  const [refused, setRefused] = useState<string | null>(null);
  const { mutateAsync } = useResetPassword();
  const { submit, pending, problem } = useSubmit(form, async ({ newPassword }: Values) => {
    try {
      await mutateAsync({ token, newPassword });
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.code?.startsWith('reset_link_'))) throw failure;
      return setRefused(failure.message);
    }
    void navigate(authPath, { replace: true });
    toast({ title: t('reset.done'), text: t('reset.doneText'), tone: 'success' });
  });
  if (refused !== null) return <UselessLink why={refused} />;
  return (
    <Form<Values>
      noValidate
      form={form}
      layout="vertical"
      requiredMark={false}
      validateTrigger="onSubmit"
      onFinish={submit}
      onFinishFailed={focusFirstError(form)}
      onValuesChange={clearErrors(form)}
    >
      <p>{t('reset.text')}</p>
      {problem && (
        <Alert type="error" showIcon title={t('reset.failed')} description={problem} role="alert" />
      )}
      <Form.Item name="newPassword" label={t('reset.password')} rules={rules(fields.newPassword)}>
        <PasswordInput size="large" autoComplete="new-password" autoFocus />
      </Form.Item>
      <Form.Item name="repeated" label={t('auth.confirmPassword')} rules={[repetition]}>
        <PasswordInput size="large" autoComplete="new-password" />
      </Form.Item>
      <Button type="primary" size="large" htmlType="submit" block loading={pending}>
        {pending ? t('reset.pending') : t('reset.submit')}
      </Button>
    </Form>
  );
}
