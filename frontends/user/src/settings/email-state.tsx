import { ownEmailQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Button, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.ts';

/** Whether one's saved address is verified; until it is, the link can be sent again. */
export function EmailState() {
  const t = useSettingsTexts();
  const toast = useToast();
  const { data } = useQuery({ ...ownEmailQuery, refetchOnMount: 'always' });
  const { mutate, isPending } = useApiMutation('POST /api/user/email-verification');
  if (!data) return null;
  const { verified, unverified } = data;
  if (unverified === null)
    return verified === null ? (
      <p className={styles.text}>{t('email.none')}</p>
    ) : (
      <div className={styles.email}>
        <Tag color="success">{t('email.verified')}</Tag>
      </div>
    );
  const again = () =>
    mutate(
      {},
      {
        onSuccess: () => toast({ title: t('email.sent'), text: t('email.sentText'), tone: 'success' }),
        onError: ({ message }) => toast({ title: t('email.sendFailed'), text: message, tone: 'error' }),
      },
    );
  return (
    <div className={styles.email}>
      <Tag color="warning">{t('email.unverified')}</Tag>
      <p className={styles.text}>
        {t('email.open', { address: unverified })}
        {verified !== null && ` ${t('email.until', { address: verified })}`}
      </p>
      <Button size="small" loading={isPending} onClick={again}>
        {t('email.again')}
      </Button>
    </div>
  );
}
