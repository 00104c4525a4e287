import { ApiError, useSignIn, useToast } from '@talpa/panel-kit/core';
import { Form, fields, Input, useFieldRules, useSubmit } from '@talpa/panel-kit/form';
import { Button } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import { AuthForm } from './auth-form.tsx';
import styles from './auth-page.module.css';
import { useAuthTexts } from './texts.ts';

interface Values {
  readonly code: string;
}

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function FactorForm(props: {
  readonly challenge: string;
  /** Returns to the first step. @param reason why it is needed again */
  readonly onBack: (reason: string | null) => void;
  readonly onDone?: () => void;
}) {
  const t = useAuthTexts();
  const toast = useToast();
  const rules = useFieldRules();
  const [form] = Form.useForm<Values>();
  const [by, setBy] = useState<'app' | 'recovery'>('app');
  const { mutateAsync } = useSignIn('POST /api/login/second-factor');
  const { submit, pending, problem } = useSubmit(form, async ({ code }: Values) => {
    try {
      const { username: name } = await mutateAsync({ challenge: props.challenge, code });
      toast({ title: t('auth.login.done'), text: t('auth.login.doneText', { name }), tone: 'success' });
      props.onDone?.();
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.code === 'challenge_ended')) throw failure;
      props.onBack(failure.message);
    }
  });
  const change = () => {
    setBy(by === 'app' ? 'recovery' : 'app');
    form.resetFields();
    setTimeout(() => form.focusField('code'));
  };
  return (
    <AuthForm
      form={form}
      onSubmit={submit}
      error={problem}
      errorTitle={t('auth.login.error')}
      submit={pending ? t('auth.login.pending') : t('auth.login')}
      pending={pending}
      footer={
        <div className={styles.hint}>
          <Button type="link" block onClick={change}>
            {t(by === 'app' ? 'factor.useRecovery' : 'factor.useApp')}
          </Button>
          <Button type="link" block onClick={() => props.onBack(null)}>
            {t('factor.back')}
          </Button>
        </div>
      }
    >
      <p>{t(`factor.${by}.text`)}</p>
      {by === 'app' ? (
        <Form.Item key="app" name="code" label={t('factor.app')} rules={rules(fields.appCode)}>
          <Input size="large" autoComplete="one-time-code" inputMode="numeric" autoFocus spellCheck={false} />
        </Form.Item>
      ) : (
        <Form.Item key="recovery" name="code" label={t('factor.recovery')} rules={rules(fields.recoveryCode)}>
          <Input size="large" autoComplete="off" autoCapitalize="characters" autoFocus spellCheck={false} />
        </Form.Item>
      )}
    </AuthForm>
  );
}
