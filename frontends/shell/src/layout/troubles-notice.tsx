import { formatMoment, troublesQuery, useLanguage, useUser } from '@talpa/panel-kit/core';
import { Alert } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './layout.module.css';

/** Tells administrators on every page what has to be fixed before the tunnel provider works. */
export function TroublesNotice() {
  const t = useShellTexts();
  const language = useLanguage();
  const { isAdmin } = useUser();
  const { data: troubles = [] } = useQuery({ ...troublesQuery, enabled: isAdmin });
  if (!isAdmin || troubles.length === 0) return null;
  return (
    <Alert
      className={styles.notice ?? ''}
      type="error"
      showIcon
      title={t('troubles.title')}
      description={troubles.map(({ fault, detail, since }) => (
        <div key={fault} className={styles.trouble}>
          <p className={styles.noticeLine}>{t(`troubles.${fault}`)}</p>
          <p className={styles.noticeLine}>
            {t('troubles.detail', { since: formatMoment(since, language), detail })}
          </p>
        </div>
      ))}
    />
  );
}
