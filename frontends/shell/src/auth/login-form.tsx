import { ApiError, useLanguageChange, useSignIn, useToast } from '@talpa/panel-kit/core';
import { Form, fields, Input, PasswordInput, useFieldRules, useSubmit } from '@talpa/panel-kit/form';
import { Link } from '@talpa/panel-kit/router';
import { useState } from 'react';
import { forgottenPath } from '../paths.ts';
import { AuthForm } from './auth-form.tsx';
import styles from './auth-page.module.css';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { useAuthTexts } from './texts.ts';

interface Values {
  readonly username: string;
  readonly password: string;
}

/**
 * Signs in; the page changes by itself once somebody is signed in.
 * @param reason why the sign-in starts over, if it does
 * @param onChallenge gets the challenge to which a code of the second factor belongs
 */
export function LoginForm({
  reason,
  onChallenge,
}: {
  readonly reason: string | null;
  readonly onChallenge: (challenge: string) => void;
}) {
  const t = useAuthTexts();
  const toast = useToast();
  const rules = useFieldRules();
  const [form] = Form.useForm<Values>();
  /** Of the way that was tried last. */
  const [problem, setProblem] = useState<string | null>(null);
  useLanguageChange(() => setProblem(null));
  const { mutateAsync } = useSignIn('POST /api/login');
  const { submit, pending } = useSubmit(form, async (values: Values) => {
    setProblem(null);
    try {
      const { username: name } = await mutateAsync(values);
      toast({ title: t('auth.login.done'), text: t('auth.login.doneText', { name }), tone: 'success' });
    } catch (failure) {
      if (failure instanceof ApiError && failure.challenge !== null) return onChallenge(failure.challenge);
      setProblem((failure as Error).message);
      toast({ title: t('auth.login.failed'), text: (failure as Error).message, tone: 'error' });
      form.focusField('password');
      throw failure;
    }
  });
  return (
    <AuthForm
      form={form}
      onSubmit={submit}
      error={problem ?? reason}
      errorTitle={t('auth.login.error')}
      submit={pending ? t('auth.login.pending') : t('auth.login')}
      pending={pending}
      footer={
        <div className={styles.hint}>
          <PasskeySignIn onProblem={setProblem} />
          <ProviderButtons onProblem={setProblem} />
          <p className={styles.lead}>
            <Link to={forgottenPath}>{t('auth.forgotten')}</Link>
          </p>
        </div>
      }
    >
      <Form.Item name="username" label={t('auth.username')} rules={rules(fields.givenUsername)}>
        <Input size="large" autoComplete="username" autoFocus autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item name="password" label={t('auth.password')} rules={rules(fields.givenPassword)}>
        <PasswordInput size="large" autoComplete="current-password" />
      </Form.Item>
    </AuthForm>
  );
}
