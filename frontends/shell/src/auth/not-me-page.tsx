import { ApiError, useApiMutation, usePageTitle } from '@talpa/panel-kit/core';
import { Form, fields, useSubmit } from '@talpa/panel-kit/form';
import { useLocation } from '@talpa/panel-kit/router';
import { Alert, Button, LinkButton } from '@talpa/panel-kit/ui';
import { useState } from 'react';
import { authPath } from '../paths.ts';
import { useShellTexts } from '../texts/shell-texts.ts';
import { AuthFrame } from './auth-frame.tsx';
import styles from './auth-page.module.css';
import { UselessLink } from './useless-link.tsx';

/** Where the link in an email about an account's security leads. Nothing happens before the button is pressed: programs open links, too. */
export function NotMePage() {
  const t = useShellTexts();
  const token = useLocation().hash.slice(1);
  const isWhole = fields.oneTimeToken.safeParse(token).success;
  usePageTitle(t('notMe.title'));
  return (
    <AuthFrame title={t('notMe.title')}>
      {/* Another link that is opened in the same tab begins anew. */}
      {isWhole ? <Report key={token} token={token} /> : <UselessLink why={t('notMe.incomplete')} />}
    </AuthFrame>
  );
}

function Report({ token }: { readonly token: string }) {
  const t = useShellTexts();
  const [form] = Form.useForm();
  const [refused, setRefused] = useState<string | null>(null);
  const [isDone, setIsDone] = useState(false);
  const { mutateAsync } = useApiMutation('POST /api/intrusion-report');
  const { submit, pending, problem } = useSubmit(form, async () => {
    try {
      await mutateAsync({ token });
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.code?.startsWith('not_me_link_'))) throw failure;
      return setRefused(failure.message);
    }
    setIsDone(true);
  });
  if (refused !== null) return <UselessLink why={refused} />;
  if (isDone)
    return (
      <>
        <Alert
          type="success"
          showIcon
          title={t('notMe.done')}
          description={t('notMe.doneText')}
          role="status"
        />
        <div className={styles.actions}>
          <LinkButton to={authPath}>{t('reset.toLogin')}</LinkButton>
        </div>
      </>
    );
  return (
    <Form noValidate form={form} onFinish={submit}>
      <p>{t('notMe.text')}</p>
      <ul className={styles.goes}>
        <li>{t('notMe.sessions')}</li>
        <li>{t('notMe.password')}</li>
        <li>{t('notMe.address')}</li>
      </ul>
      {problem && (
        <Alert
          className={styles.notice ?? ''}
          type="error"
          showIcon
          title={t('notMe.failed')}
          description={problem}
          role="alert"
        />
      )}
      <Button type="primary" danger size="large" htmlType="submit" block loading={pending}>
        {pending ? t('notMe.pending') : t('notMe.submit')}
      </Button>
    </Form>
  );
}
