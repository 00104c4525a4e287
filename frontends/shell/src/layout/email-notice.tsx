import { ownEmailQuery, panelConfig } from '@talpa/panel-kit/core';
import { Alert, Awaited, LinkButton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './layout.module.css';

/** Where an account needs a verified email address: what cannot be done until then, or that it does not work, and where to go. */
export function EmailNotice() {
  return panelConfig().emailRequired ? <Notice /> : null;
}

function Notice() {
  const t = useShellTexts();
  const { data, isLoading } = useQuery(ownEmailQuery);
  if (isLoading) return <Awaited />;
  if (!data) return null;
  const { verified, unverified, undeliverable } = data;
  const { sendsEmail } = panelConfig();
  const refused = sendsEmail && undeliverable.includes(unverified === null ? 'verified' : 'unverified');
  if (verified !== null && !refused) return null;
  return (
    <Alert
      className={styles.notice ?? ''}
      type="warning"
      showIcon
      title={t(refused ? 'email.refused' : 'email.needed')}
      description={
        refused
          ? t('email.refused.text', { address: unverified ?? verified ?? '' })
          : unverified === null
            ? t('email.needed.none')
            : sendsEmail
              ? t('email.needed.text', { address: unverified })
              : t('email.needed.noEmail')
      }
      action={<LinkButton to="/settings">{t('email.needed.open')}</LinkButton>}
    />
  );
}
