import { ApiError, useApiMutation, usePageTitle } from '@talpa/panel-kit/core';
import {
  clearErrors,
  Form,
  fields,
  focusFirstError,
  PasswordInput,
  useFieldRules,
  useSubmit,
} from '@talpa/panel-kit/form';
import { useLocation } from '@talpa/panel-kit/router';
import { Alert, Button, LinkButton } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import { useShellTexts } from '../texts/shell-texts.ts';
import { AuthFrame } from './auth-frame.tsx';
import styles from './auth-page.module.css';
import { UselessLink } from './useless-link.tsx';

/** Where the link in an email leads: one confirms its address with the password, whether or not somebody is signed in here. */
export function VerifyPage() {
  const t = useShellTexts();
  const token = useLocation().hash.slice(1);
  const isWhole = fields.oneTimeToken.safeParse(token).success;
  usePageTitle(t('verify.title'));
  return (
    <AuthFrame title={t('verify.title')}>
      {/* Another link that is opened in the same tab begins anew. */}
      {isWhole ? <VerifyForm key={token} token={token} /> : <UselessLink why={t('verify.incomplete')} />}
    </AuthFrame>
  );
}

interface Values {
  readonly password: string;
}

function VerifyForm({ token }: { readonly token: string }) {
  const t = useShellTexts();
  const rules = useFieldRules();
  const [form] = Form.useForm<Values>();
  const [refused, setRefused] = useState<string | null>(null);
  const [isDone, setIsDone] = useState(false);
  const { mutateAsync } = useApiMutation('POST /api/email-verification');
  const { submit, pending, problem } = useSubmit(form, async ({ password }: Values) => {
    try {
      await mutateAsync({ token, password });
    } catch (failure) {
      const isFinal =
        failure instanceof ApiError && /^(verification_link_|email_taken)/.test(failure.code ?? '');
      if (!isFinal) throw failure;
      return setRefused(failure.message);
    }
    setIsDone(true);
  });
  if (refused !== null) return <UselessLink why={refused} />;
  if (isDone)
    return (
      <>
        <Alert
          type="success"
          showIcon
          title={t('verify.done')}
          description={t('verify.doneText')}
          role="status"
        />
        <div className={styles.actions}>
          <LinkButton to="/">{t('verify.toPanel')}</LinkButton>
        </div>
      </>
    );
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
      <p>{t('verify.text')}</p>
      {problem && (
        <Alert type="error" showIcon title={t('verify.failed')} description={problem} role="alert" />
      )}
      <Form.Item name="password" label={t('verify.password')} rules={rules(fields.givenPassword)}>
        <PasswordInput size="large" autoComplete="current-password" autoFocus />
      </Form.Item>
      <Button type="primary" size="large" htmlType="submit" block loading={pending}>
        {pending ? t('verify.pending') : t('verify.submit')}
      </Button>
    </Form>
  );
}
