import { ownEmailQuery, panelConfig, useApiMutation, useToast, useUser } from '@talpa/panel-kit/core';
import { Awaited, Button, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.ts';

/**
 * Whether one's saved address is verified, and works; until it does, the link can be sent again. Where no emails are sent, administrators
 * hand the link over, except to one another.
 */
export function EmailState() {
  const t = useSettingsTexts();
  const { isAdmin } = useUser();
  const { data, isLoading } = useQuery({ ...ownEmailQuery, refetchOnMount: 'always' });
  if (isLoading) return <Awaited />;
  if (!data) return null;
  const { verified, unverified, undeliverable } = data;
  const address = unverified ?? verified;
  const { sendsEmail } = panelConfig();
  if (address === null)
    return <p className={styles.text}>{t(sendsEmail ? 'email.none' : 'email.noEmail')}</p>;
  const until = unverified !== null && verified !== null && ` ${t('email.until', { address: verified })}`;
  if (sendsEmail && undeliverable.includes(unverified === null ? 'verified' : 'unverified'))
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
        {sendsEmail
          ? t('email.open', { address })
          : isAdmin
            ? t('email.openLater')
            : t('email.openHandedOver', { address })}
        {until}
      </p>
      {(sendsEmail || !isAdmin) && <SendAgain />}
    </div>
  );
}

function SendAgain() {
  const t = useSettingsTexts();
  const toast = useToast();
  const { mutate, isPending } = useApiMutation('POST /api/user/email-verification');
  const { sendsEmail } = panelConfig();
  const again = () =>
    mutate(
      {},
      {
        onSuccess: () =>
          toast({
            title: t(sendsEmail ? 'email.sent' : 'email.requested'),
            text: t(sendsEmail ? 'email.sentText' : 'email.requestedText'),
            tone: 'success',
          }),
        onError: ({ message }) =>
          toast({
            title: t(sendsEmail ? 'email.sendFailed' : 'email.requestFailed'),
            text: message,
            tone: 'error',
          }),
      },
    );
  return (
    <Button size="small" loading={isPending} onClick={again}>
      {t(sendsEmail ? 'email.again' : 'email.request')}
    </Button>
  );
}
