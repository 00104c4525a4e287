import { panelConfig, useApiMutation } from '@talpa/panel-kit/core';
import { authPath } from '../paths.ts';
import styles from './auth-page.module.css';
import { OneTimeLinkForm } from './one-time-link-form.tsx';
import { OneTimeLinkPage } from './one-time-link-page.tsx';
import { useAuthTexts } from './texts.ts';

/** Where “This wasn’t me” in an email leads. Nothing happens before the button is pressed: programs open links, too. */
export function NotMePage() {
  const t = useAuthTexts();
  const { mutateAsync } = useApiMutation('POST /api/intrusion-report');
  return (
    <OneTimeLinkPage
      title={t('notMe.title')}
      incomplete={t('notMe.incomplete')}
      isFinal={(code) => code.startsWith('not_me_link_')}
    >
      {(link) => (
        <OneTimeLinkForm
          link={link}
          texts="notMe"
          call={(token) => mutateAsync({ token })}
          {...(panelConfig().sendsEmail ? {} : { doneText: t('link.notMe.noEmail') })}
          to={authPath}
          next={t('reset.toLogin')}
          danger
        >
          <p>{t('notMe.text')}</p>
          <ul className={styles.goes}>
            <li>{t('notMe.sessions')}</li>
            <li>{t('notMe.password')}</li>
            <li>{t('notMe.address')}</li>
          </ul>
        </OneTimeLinkForm>
      )}
    </OneTimeLinkPage>
  );
}
