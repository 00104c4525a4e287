import { providerFaultTexts } from '@talpa/contracts/provider-fault-texts';
import { formatTime, problemsQuery, useLanguage, useUser } from '@talpa/panel-kit/core';
import { Alert } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './layout.module.css';

/** Shows administrators on every page what has to be fixed before the tunnel provider works. */
export function ProblemsNotice() {
  const t = useShellTexts();
  const language = useLanguage();
  const { isAdmin } = useUser();
  const { data: problems = [] } = useQuery({ ...problemsQuery, enabled: isAdmin });
  if (!isAdmin || problems.length === 0) return null;
  return (
    <Alert
      className={styles.notice ?? ''}
      type="error"
      showIcon
      title={t('problems.title')}
      description={problems.map(({ fault, detail, since }) => (
        <div key={fault} className={styles.problem}>
          <p className={styles.noticeLine}>{providerFaultTexts[fault][language]}</p>
          <p className={styles.noticeLine}>
            {t('problems.detail', { since: formatTime(since, language), detail })}
          </p>
        </div>
      ))}
    />
  );
}
