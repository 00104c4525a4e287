import { issueText } from '@talpa/contracts/issues';
import { toast, useLanguage, useSignIn } from '@talpa/panel-kit/core';
import { Form, fields, Input, showServerIssues, useFieldRules } from '@talpa/panel-kit/form';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { useShellTexts } from '../texts/shell-texts.ts';

interface Values {
  readonly username: string;
  readonly password: string;
  readonly confirmPassword: string;
}

/** Creates an account and signs in. */
export function RegisterForm() {
  const t = useShellTexts();
  const rules = useFieldRules();
  const language = useLanguage();
  const [form] = Form.useForm<Values>();
  const { mutate, isPending, error } = useSignIn('POST /api/register');
  const submit = ({ username: name, password }: Values) =>
    mutate(
      { username: name, password },
      {
        onSuccess: () =>
          toast({ title: t('auth.register.done'), text: t('auth.register.doneText'), tone: 'success' }),
        onError: (failure) => {
          toast({ title: t('auth.register.failed'), text: failure.message, tone: 'error' });
          if (!showServerIssues(form, failure)) form.focusField('username');
        },
      },
    );
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      requiredMark={false}
      validateTrigger="onSubmit"
      onFinish={submit}
      onFinishFailed={({ errorFields: [first] }) => first && form.focusField(first.name)}
    >
      {error && <Alert type="error" showIcon title={t('auth.register.error')} description={error.message} />}
      <Form.Item
        name="username"
        label={t('auth.username')}
        rules={rules(fields.username)}
        style={{ marginTop: error ? 16 : 8 }}
      >
        <Input size="large" autoComplete="username" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item name="password" label={t('auth.password')} rules={rules(fields.newPassword)}>
        <Input.Password size="large" autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="confirmPassword"
        label={t('auth.confirmPassword')}
        dependencies={['password']}
        rules={[
          {
            validator: async (_rule, value: unknown) => {
              if (value !== form.getFieldValue('password'))
                throw new Error(issueText('passwordsDiffer', language));
            },
          },
        ]}
      >
        <Input.Password size="large" autoComplete="new-password" />
      </Form.Item>
      <Button type="primary" size="large" htmlType="submit" block loading={isPending}>
        {isPending ? t('auth.register.pending') : t('auth.register')}
      </Button>
    </Form>
  );
}
