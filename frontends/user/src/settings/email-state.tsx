import { ownEmailQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Button, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.ts';

/** Whether one's saved address is verified, and works; until it does, the link can be sent again. */
export function EmailState() {
  const t = useSettingsTexts();
  const { data } = useQuery({ ...ownEmailQuery, refetchOnMount: 'always' });
  if (!data) return null;
  const { verified, unverified, undeliverable } = data;
  const address = unverified ?? verified;
  if (address === null) return <p className={styles.text}>{t('email.none')}</p>;
  const until = unverified !== null && verified !== null && ` ${t('email.until', { address: verified })}`;
  if (undeliverable.includes(unverified === null ? 'verified' : 'unverified'))
    return (
      <div className={styles.email}>
        <Tag color="error">{t('email.undeliverable')}</Tag>
        <p className={styles.text}>
          {t('email.refused', { address })}
          {until}
        </p>
        <SendAgain />
      </div>
    );
  if (unverified === null)
    return (
      <div className={styles.email}>
        <Tag color="success">{t('email.verified')}</Tag>
      </div>
    );
  return (
    <div className={styles.email}>
      <Tag color="warning">{t('email.unverified')}</Tag>
      <p className={styles.text}>
        {t('email.open', { address })}
        {until}
      </p>
      <SendAgain />
    </div>
  );
}

function SendAgain() {
  const t = useSettingsTexts();
  const toast = useToast();
  const { mutate, isPending } = useApiMutation('POST /api/user/email-verification');
  const again = () =>
    mutate(
      {},
      {
        onSuccess: () => toast({ title: t('email.sent'), text: t('email.sentText'), tone: 'success' }),
        onError: ({ message }) => toast({ title: t('email.sendFailed'), text: message, tone: 'error' }),
      },
    );
  return (
    <Button size="small" loading={isPending} onClick={again}>
      {t('email.again')}
    </Button>
  );
}
