import { panelConfig } from '@talpa/panel-kit/core';
import { Alert } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './subscription.module.css';

/** Whether users change their plans themselves here. */
export const choosesPlans = (): boolean => panelConfig().planChanges === 'self';

/** Says whom to ask where users do not change their plans themselves. */
export function AskAdministrator() {
  const t = useUserTexts();
  const { support } = panelConfig().links;
  return (
    <Alert
      type="info"
      showIcon
      title={t('plan.closed')}
      description={
        <>
          <p className={styles.closedText}>{t('plan.closed.text')}</p>
          {support && (
            <a href={support} target="_blank" rel="noreferrer">
              {t('plan.closed.support')}
            </a>
          )}
        </>
      }
    />
  );
}
