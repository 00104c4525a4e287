import type { Notification } from '@talpa/contracts';
import type { ApiError } from '@talpa/panel-kit/core';
import { EmptyState, ErrorCard, Skeleton } from '@talpa/panel-kit/ui';
import { Bell } from 'lucide-react';
import { NotificationList } from './list.tsx';
import { useNotificationTexts } from './texts.ts';

/** What of an inbox is asked for. */
interface InboxQuery {
  readonly error: ApiError | null;
  readonly isFetching: boolean;
  refetch(): unknown;
}

/** Notifications, or why there are none. */
export function Inbox(props: {
  /** Undefined: they are not there yet. */
  readonly notifications: readonly Notification[] | undefined;
  readonly query: InboxQuery;
  /** Nothing but what is unread was asked for. */
  readonly isUnread?: boolean;
  readonly onFollow?: (() => void) | undefined;
}) {
  const t = useNotificationTexts();
  const { notifications, query } = props;
  if (!notifications && query.error)
    return (
      <ErrorCard
        title={t('failed')}
        error={query.error}
        retry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  if (!notifications) return <Skeleton active paragraph={{ rows: 5 }} />;
  if (notifications.length === 0)
    return (
      <EmptyState
        icon={<Bell size={22} aria-hidden />}
        title={props.isUnread ? t('empty.unread') : t('empty')}
        text={t('empty.text')}
      />
    );
  return <NotificationList notifications={notifications} onFollow={props.onFollow} />;
}
