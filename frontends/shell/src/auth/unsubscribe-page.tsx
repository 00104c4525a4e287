import { useApiMutation } from '@talpa/panel-kit/core';
import { Form, useSubmit } from '@talpa/panel-kit/form';
import { useSearchParams } from '@talpa/panel-kit/router';
import { useState } from 'react';
import { useShellTexts } from '../texts/shell-texts.ts';
import { AuthForm } from './auth-form.tsx';
import styles from './auth-page.module.css';
import { type OneTimeLink, OneTimeLinkPage } from './one-time-link-page.tsx';
import { Outcome } from './outcome.tsx';

/**
 * Where an email with notifications leads to end such emails. Mail programs send a POST to the same address, so the token
 * is no part that browsers keep to themselves.
 */
export function UnsubscribePage() {
  const t = useShellTexts();
  const [search] = useSearchParams();
  return (
    <OneTimeLinkPage
      title={t('unsubscribe.title')}
      incomplete={t('unsubscribe.incomplete')}
      isFinal={(code) => code === 'unsubscribe_link_invalid'}
      token={search.get('token') ?? ''}
    >
      {(link) => <UnsubscribeForm {...link} />}
    </OneTimeLinkPage>
  );
}

function UnsubscribeForm({ token, use }: OneTimeLink) {
  const t = useShellTexts();
  const [form] = Form.useForm();
  const [isDone, setIsDone] = useState(false);
  const { mutateAsync } = useApiMutation('POST /api/unsubscription');
  const { submit, pending, problem } = useSubmit(form, async () =>
    setIsDone(await use(() => mutateAsync({ token }))),
  );
  if (isDone)
    return (
      <Outcome
        type="success"
        title={t('unsubscribe.done')}
        text={t('unsubscribe.doneText')}
        to="/"
        next={t('verify.toPanel')}
      />
    );
  return (
    <AuthForm
      form={form}
      onSubmit={submit}
      error={problem}
      errorTitle={t('unsubscribe.failed')}
      submit={pending ? t('unsubscribe.pending') : t('unsubscribe.submit')}
      pending={pending}
    >
      <p className={styles.notice}>{t('unsubscribe.text')}</p>
    </AuthForm>
  );
}
