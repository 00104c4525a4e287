import { ownEmailQuery, panelConfig } from '@talpa/panel-kit/core';
import { Alert, LinkButton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './layout.module.css';

/** Where an account needs a verified email address: what cannot be done until then, and where to go. */
export function EmailNotice() {
  return panelConfig().emailRequired ? <Notice /> : null;
}

function Notice() {
  const t = useShellTexts();
  const { data } = useQuery(ownEmailQuery);
  if (!data || data.verified !== null) return null;
  const { unverified } = data;
  return (
    <Alert
      className={styles.notice ?? ''}
      type="warning"
      showIcon
      title={t('email.needed')}
      description={
        unverified === null ? t('email.needed.none') : t('email.needed.text', { address: unverified })
      }
      action={<LinkButton to="/settings">{t('email.needed.open')}</LinkButton>}
    />
  );
}
