import { formatDate, useLanguage, useUser } from '@talpa/panel-kit/core';
import { Alert } from '@talpa/panel-kit/ui';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './layout.module.css';

/** Shows suspended users on every page that they are suspended, since when and why. */
export function SuspendedNotice() {
  const t = useShellTexts();
  const language = useLanguage();
  const { suspension } = useUser();
  if (!suspension) return null;
  const since = formatDate(suspension.since, language) ?? '';
  return (
    <Alert
      className={styles.notice ?? ''}
      type="error"
      showIcon
      title={t('suspended.title', { since })}
      description={
        <>
          <p className={styles.noticeLine}>{t('suspended.reason', { reason: suspension.reason })}</p>
          <p className={styles.noticeLine}>{t('suspended.text')}</p>
        </>
      }
    />
  );
}
