import { panelConfig, useApiMutation, usePageTitle } from '@talpa/panel-kit/core';
import { Form, fields, Input, useFieldRules, useSubmit } from '@talpa/panel-kit/form';
import { Link } from '@talpa/panel-kit/router';
import { useState } from 'react';
import { authPath } from '../paths.ts';
import { AuthForm } from './auth-form.tsx';
import { AuthFrame } from './auth-frame.tsx';
import styles from './auth-page.module.css';
import { Outcome } from './outcome.tsx';
import { useAuthTexts } from './texts.ts';

/** Users who have forgotten their password request a reset link. The page says the same for every name. */
export function ForgottenPage() {
  const t = useAuthTexts();
  usePageTitle(t('forgotten.title'));
  return (
    <AuthFrame title={t('forgotten.title')}>
      {panelConfig().sendsEmail ? <ForgottenForm /> : <WithoutEmail />}
    </AuthFrame>
  );
}

/** An administrator makes the link; nobody needs to ask for it here. */
function WithoutEmail() {
  const t = useAuthTexts();
  return (
    <>
      <p>{t('forgotten.noEmail')}</p>
      <p className={styles.hint}>
        <Link to={authPath}>{t('reset.toLogin')}</Link>
      </p>
    </>
  );
}

interface Values {
  readonly account: string;
}

function ForgottenForm() {
  const t = useAuthTexts();
  const rules = useFieldRules();
  const [form] = Form.useForm<Values>();
  const [isDone, setIsDone] = useState(false);
  const { mutateAsync } = useApiMutation('POST /api/password-reset-request');
  const { submit, pending, problem } = useSubmit(form, async ({ account }: Values) => {
    await mutateAsync({ account });
    setIsDone(true);
  });
  if (isDone)
    return (
      <Outcome
        type="success"
        title={t('forgotten.done')}
        text={
          <>
            <p className={styles.line}>{t('forgotten.doneText')}</p>
            <p className={styles.line}>{t('forgotten.nothing')}</p>
          </>
        }
        to={authPath}
        next={t('reset.toLogin')}
      />
    );
  return (
    <AuthForm
      form={form}
      onSubmit={submit}
      error={problem}
      errorTitle={t('forgotten.failed')}
      submit={pending ? t('forgotten.pending') : t('forgotten.submit')}
      pending={pending}
      footer={
        <p className={styles.hint}>
          <Link to={authPath}>{t('reset.toLogin')}</Link>
        </p>
      }
    >
      <p>{t('forgotten.text')}</p>
      <Form.Item name="account" label={t('forgotten.account')} rules={rules(fields.givenAccount)}>
        <Input size="large" autoComplete="username" autoFocus autoCapitalize="none" spellCheck={false} />
      </Form.Item>
    </AuthForm>
  );
}
