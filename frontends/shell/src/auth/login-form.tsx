import { useSignIn, useToast } from '@talpa/panel-kit/core';
import {
  clearErrors,
  Form,
  fields,
  focusFirstError,
  Input,
  PasswordInput,
  useFieldRules,
  useSubmit,
} from '@talpa/panel-kit/form';
import { Link } from '@talpa/panel-kit/router';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { forgottenPath } from '../paths.ts';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './auth-page.module.css';

interface Values {
  readonly username: string;
  readonly password: string;
}

/** Signs in; the page changes by itself once somebody is signed in. */
export function LoginForm() {
  const t = useShellTexts();
  const toast = useToast();
  const rules = useFieldRules();
  const [form] = Form.useForm<Values>();
  const { mutateAsync, error } = useSignIn('POST /api/login');
  const { submit, pending } = useSubmit(form, async (values: Values) => {
    try {
      const { username: name } = await mutateAsync(values);
      toast({ title: t('auth.login.done'), text: t('auth.login.doneText', { name }), tone: 'success' });
    } catch (failure) {
      toast({ title: t('auth.login.failed'), text: (failure as Error).message, tone: 'error' });
      form.focusField('password');
      throw failure;
    }
  });
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
      {error && <Alert type="error" showIcon title={t('auth.login.error')} description={error.message} />}
      <Form.Item
        name="username"
        label={t('auth.username')}
        rules={rules(fields.givenUsername)}
        style={{ marginTop: error ? 16 : 8 }}
      >
        <Input size="large" autoComplete="username" autoFocus autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item name="password" label={t('auth.password')} rules={rules(fields.givenPassword)}>
        <PasswordInput size="large" autoComplete="current-password" />
      </Form.Item>
      <Button type="primary" size="large" htmlType="submit" block loading={pending}>
        {pending ? t('auth.login.pending') : t('auth.login')}
      </Button>
      <p className={styles.hint}>
        <Link to={forgottenPath}>{t('auth.forgotten')}</Link>
      </p>
    </Form>
  );
}
