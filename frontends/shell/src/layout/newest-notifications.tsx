import { Inbox, MarkAllRead } from '@talpa/panel-features/notifications';
import { newestNotificationsQuery } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { pages } from '@talpa/panel-user/pages';
import { useQuery } from '@tanstack/react-query';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './bell.module.css';

/** What the bell opens: the newest notifications, and the way to all of them. */
export function NewestNotifications({ onFollow }: { readonly onFollow: () => void }) {
  const t = useShellTexts();
  const newest = useQuery(newestNotificationsQuery);
  return (
    <div className={styles.content}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{t('bell')}</h2>
        <MarkAllRead newest={newest.data?.[0]} />
      </div>
      <div className={styles.scroll}>
        <Inbox notifications={newest.data} query={newest} onFollow={onFollow} />
      </div>
      <Link className={styles.all ?? ''} to={pages.notifications.path} onClick={onFollow}>
        {t('bell.all')}
      </Link>
    </div>
  );
}
