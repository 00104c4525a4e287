import type { ProviderProblem } from '@talpa/contracts';
import { providerFaultTexts } from '@talpa/contracts/provider-fault-texts';
import { formatTime, useLanguage } from '@talpa/panel-kit/core';
import { Alert } from '@talpa/panel-kit/ui';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './layout.module.css';

/** What has to be fixed before the tunnel provider works. */
export function Problems({ problems }: { readonly problems: readonly ProviderProblem[] }) {
  const t = useShellTexts();
  const language = useLanguage();
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
