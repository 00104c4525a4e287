import { useApiMutation } from '@talpa/panel-kit/core';
import { Form, fields, PasswordInput, useFieldRules, useSubmit } from '@talpa/panel-kit/form';
import { useState } from 'react';
import { useShellTexts } from '../texts/shell-texts.ts';
import { AuthForm } from './auth-form.tsx';
import { type OneTimeLink, OneTimeLinkPage } from './one-time-link-page.tsx';
import { Outcome } from './outcome.tsx';

interface Values {
  readonly password: string;
}

/** Where the link in an email leads: users confirm their address with their password. */
export function VerifyPage() {
  const t = useShellTexts();
  return (
    <OneTimeLinkPage
      title={t('verify.title')}
      incomplete={t('verify.incomplete')}
      isFinal={(code) => code.startsWith('verification_link_') || code === 'email_taken'}
    >
      {(link) => <VerifyForm {...link} />}
    </OneTimeLinkPage>
  );
}

function VerifyForm({ token, use }: OneTimeLink) {
  const t = useShellTexts();
  const rules = useFieldRules();
  const [form] = Form.useForm<Values>();
  const [isDone, setIsDone] = useState(false);
  const { mutateAsync } = useApiMutation('POST /api/email-verification');
  const { submit, pending, problem } = useSubmit(form, async ({ password }: Values) =>
    setIsDone(await use(() => mutateAsync({ token, password }))),
  );
  if (isDone)
    return (
      <Outcome
        type="success"
        title={t('verify.done')}
        text={t('verify.doneText')}
        to="/"
        next={t('verify.toPanel')}
      />
    );
  return (
    <AuthForm
      form={form}
      onSubmit={submit}
      error={problem}
      errorTitle={t('verify.failed')}
      submit={pending ? t('verify.pending') : t('verify.submit')}
      pending={pending}
    >
      <p>{t('verify.text')}</p>
      <Form.Item name="password" label={t('verify.password')} rules={rules(fields.givenPassword)}>
        <PasswordInput size="large" autoComplete="current-password" autoFocus />
      </Form.Item>
    </AuthForm>
  );
}
