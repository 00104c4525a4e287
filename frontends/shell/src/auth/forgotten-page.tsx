import { useApiMutation, usePageTitle } from '@talpa/panel-kit/core';
import {
  clearErrors,
  Form,
  fields,
  focusFirstError,
  Input,
  useFieldRules,
  useSubmit,
} from '@talpa/panel-kit/form';
import { Link } from '@talpa/panel-kit/router';
import { Alert, Button, LinkButton } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import { authPath } from '../paths.ts';
import { useShellTexts } from '../texts/shell-texts.ts';
import { AuthFrame } from './auth-frame.tsx';
import styles from './auth-page.module.css';

interface Values {
  readonly account: string;
}

/** Who has forgotten their password asks for a reset link. What the page then says is the same for every name. */
export function ForgottenPage() {
  const t = useShellTexts();
  const rules = useFieldRules();
  const [form] = Form.useForm<Values>();
  const [isDone, setIsDone] = useState(false);
  const { mutateAsync } = useApiMutation('POST /api/password-reset-request');
  const { submit, pending, problem } = useSubmit(form, async ({ account }: Values) => {
    await mutateAsync({ account });
    setIsDone(true);
  });
  usePageTitle(t('forgotten.title'));
  return (
    <AuthFrame title={t('forgotten.title')}>
      {isDone ? (
        <Alert
          type="success"
          showIcon
          title={t('forgotten.done')}
          description={
            <>
              <p className={styles.line}>{t('forgotten.doneText')}</p>
              <p className={styles.line}>{t('forgotten.nothing')}</p>
            </>
          }
          role="status"
        />
      ) : (
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
          <p>{t('forgotten.text')}</p>
          {problem && (
            <Alert
              className={styles.notice ?? ''}
              type="error"
              showIcon
              title={t('forgotten.failed')}
              description={problem}
              role="alert"
            />
          )}
          <Form.Item name="account" label={t('forgotten.account')} rules={rules(fields.givenAccount)}>
            <Input size="large" autoComplete="username" autoFocus autoCapitalize="none" spellCheck={false} />
          </Form.Item>
          <Button type="primary" size="large" htmlType="submit" block loading={pending}>
            {pending ? t('forgotten.pending') : t('forgotten.submit')}
          </Button>
        </Form>
      )}
      {isDone ? (
        <div className={styles.actions}>
          <LinkButton to={authPath}>{t('reset.toLogin')}</LinkButton>
        </div>
      ) : (
        <p className={styles.hint}>
          <Link to={authPath}>{t('reset.toLogin')}</Link>
        </p>
      )}
    </AuthFrame>
  );
}
