import { panelConfig, useSignIn, useToast } from '@talpa/panel-kit/core';
import { Form, fields, Input, useFieldRules, useSubmit } from '@talpa/panel-kit/form';
import { Link } from '@talpa/panel-kit/router';
import { authPath } from '../paths.ts';
import { AuthForm } from './auth-form.tsx';
import styles from './auth-page.module.css';
import { useAuthTexts } from './texts.ts';

interface Values {
  readonly username: string;
  readonly email: string;
}

/** Creates an account for somebody whom a provider has vouched for. It needs a name, and no password. */
export function ProviderRegisterForm(props: {
  readonly challenge: string;
  readonly suggestion: Values;
  readonly onDone: () => void;
}) {
  const t = useAuthTexts();
  const toast = useToast();
  const rules = useFieldRules();
  const [form] = Form.useForm<Values>();
  const { emailRequired, sendsEmail } = panelConfig();
  const { mutateAsync } = useSignIn('POST /api/register/provider');
  const { submit, pending, problem } = useSubmit(form, async ({ username, email }: Values) => {
    await mutateAsync({ challenge: props.challenge, username, ...(email ? { email } : {}) });
    toast({ title: t('auth.register.done'), text: t('auth.register.doneText'), tone: 'success' });
    props.onDone();
  });
  return (
    <AuthForm
      form={form}
      onSubmit={submit}
      error={problem}
      errorTitle={t('auth.register.error')}
      submit={pending ? t('auth.register.pending') : t('provider.register.title')}
      pending={pending}
      footer={
        <div className={styles.hint}>
          <p className={styles.lead}>{t('provider.register.existing')}</p>
          <p className={styles.lead}>
            <Link to={authPath}>{t('provider.again')}</Link>
          </p>
        </div>
      }
    >
      <p>{t('provider.register.text')}</p>
      <Form.Item
        name="username"
        label={t('auth.username')}
        initialValue={props.suggestion.username}
        rules={rules(fields.username)}
      >
        <Input size="large" autoComplete="username" autoFocus autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="email"
        label={t(emailRequired ? 'auth.email' : 'auth.email.optional')}
        extra={t(sendsEmail ? 'auth.email.why' : 'auth.email.noEmail')}
        initialValue={props.suggestion.email}
        rules={rules(fields.givenEmail, { optional: !emailRequired })}
      >
        <Input size="large" type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
    </AuthForm>
  );
}
