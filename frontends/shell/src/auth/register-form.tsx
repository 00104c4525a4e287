import { ApiError, panelConfig, useSignIn, useToast } from '@talpa/panel-kit/core';
import {
  Form,
  fields,
  Input,
  PasswordInput,
  useFieldRules,
  useRepetitionRule,
  useSubmit,
} from '@talpa/panel-kit/form';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import { AuthForm } from './auth-form.tsx';
import styles from './auth-page.module.css';
import { useAuthTexts } from './texts.ts';
import { useProof } from './use-proof.ts';

interface Values {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly invitation?: string;
}

/** Creates an account and signs in. */
export function RegisterForm({ invitation: given }: { readonly invitation: string | null }) {
  const t = useAuthTexts();
  const toast = useToast();
  const rules = useFieldRules();
  const repetition = useRepetitionRule('password');
  const [form] = Form.useForm<Values>();
  const { registration, emailRequired, sendsEmail } = panelConfig();
  const isNeeded = registration === 'invite';
  const [hasInvitation, setHasInvitation] = useState(isNeeded || given !== null);
  const { mutateAsync, error } = useSignIn('POST /api/register');
  const { isComputing, withProof } = useProof();
  const { submit, pending } = useSubmit(form, async ({ username, email, password, invitation }: Values) => {
    try {
      await withProof((proof) =>
        mutateAsync({
          username,
          password,
          ...(email ? { email } : {}),
          ...(invitation ? { invitation } : {}),
          ...(proof ? { proof } : {}),
        }),
      );
      toast({ title: t('auth.register.done'), text: t('auth.register.doneText'), tone: 'success' });
    } catch (failure) {
      // The page was left while its browser computed.
      if (failure instanceof DOMException && failure.name === 'AbortError') return;
      toast({ title: t('auth.register.failed'), text: (failure as Error).message, tone: 'error' });
      // The alert above the form says the rest; a field repeats nothing.
      if (failure instanceof ApiError && failure.issues.length > 0) throw failure;
    }
  });
  return (
    <AuthForm
      form={form}
      onSubmit={submit}
      // While the browser computes, the refusal that asked for it is none.
      error={isComputing ? null : error?.message}
      errorTitle={t('auth.register.error')}
      submit={t(isComputing ? 'auth.proof.pending' : pending ? 'auth.register.pending' : 'auth.register')}
      pending={pending}
      footer={
        isComputing ? (
          <Alert
            className={styles.proof ?? ''}
            type="info"
            showIcon
            role="status"
            title={t('auth.proof')}
            description={t('auth.proof.text')}
          />
        ) : (
          !hasInvitation && (
            <Button type="link" block className={styles.hint ?? ''} onClick={() => setHasInvitation(true)}>
              {t('auth.invitation.enter')}
            </Button>
          )
        )
      }
    >
      {isNeeded && <p className={styles.lead}>{t('auth.invitation.needed')}</p>}
      {hasInvitation && (
        <Form.Item
          name="invitation"
          label={t('auth.invitation')}
          initialValue={given ?? ''}
          rules={rules(fields.invitationCode, { optional: !isNeeded })}
        >
          <Input size="large" autoComplete="off" autoCapitalize="characters" spellCheck={false} />
        </Form.Item>
      )}
      <Form.Item name="username" label={t('auth.username')} rules={rules(fields.username)}>
        <Input size="large" autoComplete="username" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="email"
        label={t(emailRequired ? 'auth.email' : 'auth.email.optional')}
        extra={t(sendsEmail ? 'auth.email.why' : 'auth.email.noEmail')}
        initialValue=""
        rules={rules(fields.givenEmail, { optional: !emailRequired })}
      >
        <Input size="large" type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item name="password" label={t('auth.password')} rules={rules(fields.newPassword)}>
        <PasswordInput size="large" autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="confirmPassword"
        label={t('auth.confirmPassword')}
        dependencies={['password']}
        validateFirst
        rules={[...rules(fields.newPassword), repetition]}
      >
        <PasswordInput size="large" autoComplete="new-password" />
      </Form.Item>
    </AuthForm>
  );
}
