import { useApiMutation } from '@talpa/panel-kit/core';
import { Form, useSubmit } from '@talpa/panel-kit/form';
import { useState } from 'react';
import { authPath } from '../paths.ts';
import { useShellTexts } from '../texts/shell-texts.ts';
import { AuthForm } from './auth-form.tsx';
import styles from './auth-page.module.css';
import { type OneTimeLink, OneTimeLinkPage } from './one-time-link-page.tsx';
import { Outcome } from './outcome.tsx';

/** Where “This wasn’t me” in an email leads. Nothing happens before the button is pressed: programs open links, too. */
export function NotMePage() {
  const t = useShellTexts();
  return (
    <OneTimeLinkPage
      title={t('notMe.title')}
      incomplete={t('notMe.incomplete')}
      isFinal={(code) => code.startsWith('not_me_link_')}
    >
      {(link) => <IntrusionReport {...link} />}
    </OneTimeLinkPage>
  );
}

function IntrusionReport({ token, use }: OneTimeLink) {
  const t = useShellTexts();
  const [form] = Form.useForm();
  const [isDone, setIsDone] = useState(false);
  const { mutateAsync } = useApiMutation('POST /api/intrusion-report');
  const { submit, pending, problem } = useSubmit(form, async () =>
    setIsDone(await use(() => mutateAsync({ token }))),
  );
  if (isDone)
    return (
      <Outcome
        type="success"
        title={t('notMe.done')}
        text={t('notMe.doneText')}
        to={authPath}
        next={t('reset.toLogin')}
      />
    );
  return (
    <AuthForm
      form={form}
      onSubmit={submit}
      error={problem}
      errorTitle={t('notMe.failed')}
      submit={pending ? t('notMe.pending') : t('notMe.submit')}
      pending={pending}
      danger
    >
      <p>{t('notMe.text')}</p>
      <ul className={styles.goes}>
        <li>{t('notMe.sessions')}</li>
        <li>{t('notMe.password')}</li>
        <li>{t('notMe.address')}</li>
      </ul>
    </AuthForm>
  );
}
