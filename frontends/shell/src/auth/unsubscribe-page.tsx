import { useApiMutation } from '@talpa/panel-kit/core';
import { useSearchParams } from '@talpa/panel-kit/router';
import styles from './auth-page.module.css';
import { OneTimeLinkForm } from './one-time-link-form.tsx';
import { OneTimeLinkPage } from './one-time-link-page.tsx';
import { useAuthTexts } from './texts.ts';

/**
 * The page of the unsubscribe link in emails with notifications. Mail programs send a POST to the same address, so the token is in the
 * query, not after `#`.
 */
export function UnsubscribePage() {
  const t = useAuthTexts();
  const [search] = useSearchParams();
  const { mutateAsync } = useApiMutation('POST /api/unsubscription');
  return (
    <OneTimeLinkPage
      title={t('unsubscribe.title')}
      incomplete={t('unsubscribe.incomplete')}
      isFinal={(code) => code === 'unsubscribe_link_invalid'}
      token={search.get('token') ?? ''}
    >
      {(link) => (
        <OneTimeLinkForm
          link={link}
          texts="unsubscribe"
          call={(token) => mutateAsync({ token })}
          to="/"
          next={t('verify.toPanel')}
        >
          <p className={styles.notice}>{t('unsubscribe.text')}</p>
        </OneTimeLinkForm>
      )}
    </OneTimeLinkPage>
  );
}
