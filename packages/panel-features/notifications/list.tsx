import type { Notification } from '@talpa/contracts';
import { formatTime, useAgo, useApiMutation, useLanguage } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { CircleCheck, CircleX, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import styles from './notifications.module.css';
import { useNotificationTexts } from './texts.ts';
import { useNotificationWords } from './words.ts';

const icons: Readonly<Record<Notification['level'], LucideIcon>> = {
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  error: CircleX,
};

/** Notifications, each a link to what it is about. One that is followed is read. */
export function NotificationList(props: {
  readonly notifications: readonly Notification[];
  readonly onFollow?: (() => void) | undefined;
}) {
  const t = useNotificationTexts();
  const { mutate } = useApiMutation('POST /api/user/notifications/read');
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari announces a list without bullets as no list
    <ul className={styles.list} role="list" aria-label={t('list')}>
      {props.notifications.map((one) => (
        <Item
          key={one.id}
          notification={one}
          onFollow={() => {
            if (one.readAt === null) mutate({ ids: [one.id] });
            props.onFollow?.();
          }}
        />
      ))}
    </ul>
  );
}

function Item(props: { readonly notification: Notification; readonly onFollow: () => void }) {
  const { level, createdAt, readAt } = props.notification;
  const t = useNotificationTexts();
  const language = useLanguage();
  const ago = useAgo();
  const { title, text, path } = useNotificationWords()(props.notification);
  const Icon = icons[level];
  return (
    <li className={styles.item} data-level={level} data-read={readAt !== null}>
      <Icon className={styles.icon ?? ''} size={18} aria-hidden />
      <div className={styles.what}>
        <div className={styles.head}>
          <Link className={styles.title ?? ''} to={path} onClick={props.onFollow}>
            {title}
          </Link>
          {readAt === null && <span className={styles.unread}>{t('unread')}</span>}
          <time className={styles.time} dateTime={createdAt} title={formatTime(createdAt, language)}>
            {ago(createdAt)}
          </time>
        </div>
        <p className={styles.text}>{text}</p>
      </div>
    </li>
  );
}
