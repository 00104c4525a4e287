import { useApiMutation } from '@talpa/panel-kit/core';
import { Form, fields, PasswordInput, useFieldRules } from '@talpa/panel-kit/form';
import { OneTimeLinkForm } from './one-time-link-form.tsx';
import { OneTimeLinkPage } from './one-time-link-page.tsx';
import { useAuthTexts } from './texts.ts';

/** Where the link in an email leads: users confirm their address with their password. */
export function VerifyPage() {
  const t = useAuthTexts();
  const rules = useFieldRules();
  const { mutateAsync } = useApiMutation('POST /api/email-verification');
  return (
    <OneTimeLinkPage
      title={t('verify.title')}
      incomplete={t('verify.incomplete')}
      isFinal={(code) => code.startsWith('verification_link_') || code === 'email_taken'}
    >
      {(link) => (
        <OneTimeLinkForm<{ readonly password: string }>
          link={link}
          texts="verify"
          call={(token, { password }) => mutateAsync({ token, password })}
          to="/"
          next={t('verify.toPanel')}
        >
          <p>{t('verify.text')}</p>
          <Form.Item name="password" label={t('verify.password')} rules={rules(fields.givenPassword)}>
            <PasswordInput size="large" autoComplete="current-password" autoFocus />
          </Form.Item>
        </OneTimeLinkForm>
      )}
    </OneTimeLinkPage>
  );
}
