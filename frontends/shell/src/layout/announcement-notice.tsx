import { announcementsQuery, useApiMutation, useLanguage, useNow } from '@talpa/panel-kit/core';
import { Alert, Awaited } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './layout.module.css';

/** The announcements that are active now. Closing one marks it as read, in all tabs and on all devices. */
export function AnnouncementNotice() {
  const t = useShellTexts();
  const language = useLanguage();
  const now = useNow();
  const { data, isLoading } = useQuery(announcementsQuery);
  const { mutate } = useApiMutation('POST /api/user/notifications/read');
  if (isLoading) return <Awaited />;
  return data?.map((one) => {
    if (one.kind !== 'announcement') return null;
    const { title, text, startsAt, endsAt } = one.params;
    if (Date.parse(startsAt) > now || Date.parse(endsAt) <= now) return null;
    return (
      <Alert
        key={one.id}
        className={styles.notice ?? ''}
        type={one.level}
        showIcon
        role="status"
        title={title[language]}
        description={text[language]}
        closable={{
          'aria-label': t('announcement.close', { title: title[language] }),
          onClose: () => mutate({ ids: [one.id] }),
        }}
      />
    );
  });
}
