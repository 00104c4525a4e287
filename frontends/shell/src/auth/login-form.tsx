import { toast, useSignIn } from '@talpa/panel-kit/core';
import { Form, fields, Input, useFieldRules } from '@talpa/panel-kit/form';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { useShellTexts } from '../texts/shell-texts.ts';

interface Values {
  readonly username: string;
  readonly password: string;
}

/** Signs in; the page changes by itself once somebody is signed in. */
export function LoginForm() {
  const t = useShellTexts();
  const rules = useFieldRules();
  const [form] = Form.useForm<Values>();
  const { mutate, isPending, error } = useSignIn('POST /api/login');
  const submit = (values: Values) =>
    mutate(values, {
      onSuccess: (user) =>
        toast({
          title: t('auth.login.done'),
          text: t('auth.login.doneText', { name: user.username }),
          tone: 'success',
        }),
      onError: ({ message }) => {
        toast({ title: t('auth.login.failed'), text: message, tone: 'error' });
        form.focusField('password');
      },
    });
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      requiredMark={false}
      validateTrigger="onSubmit"
      onFinish={submit}
      onFinishFailed={({ errorFields: [first] }) => first && form.focusField(first.name)}
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
        <Input.Password size="large" autoComplete="current-password" />
      </Form.Item>
      <Button type="primary" size="large" htmlType="submit" block loading={isPending}>
        {isPending ? t('auth.login.pending') : t('auth.login')}
      </Button>
    </Form>
  );
}
