import { Inbox, MarkAllRead } from '@talpa/panel-features/notifications';
import { notificationsQuery, useHeadOf } from '@talpa/panel-kit/core';
import { useSearchParams } from '@talpa/panel-kit/router';
import { Alert, Button, Page, Panel } from '@talpa/panel-kit/ui';
import { useInfiniteQuery } from '@tanstack/react-query';
import { pages } from '../pages.ts';
import styles from './notifications.module.css';
import { useInboxTexts } from './texts.ts';

/** All notifications, or the unread ones; the address says which. */
export function NotificationsPage() {
  const t = useInboxTexts();
  const head = useHeadOf(pages.notifications);
  const [search, setSearch] = useSearchParams();
  const isUnread = search.get('state') === 'unread';
  const inbox = useInfiniteQuery(notificationsQuery(isUnread ? 'unread' : undefined));
  const shown = inbox.data?.pages.flat();
  const show = (unread: boolean) =>
    setSearch(unread ? { state: 'unread' } : {}, { preventScrollReset: true });
  return (
    <Page {...head}>
      <Panel label={isUnread ? t('unread') : t('all')} flush>
        <div className={styles.bar}>
          <fieldset className={styles.filter} aria-label={t('filter')}>
            <Choice label={t('all')} isChosen={!isUnread} onChoose={() => show(false)} />
            <Choice label={t('unread')} isChosen={isUnread} onChoose={() => show(true)} />
          </fieldset>
          <MarkAllRead newest={shown?.[0]} />
        </div>
        <div className={styles.body}>
          <Inbox notifications={shown} query={inbox} isUnread={isUnread} />
          {inbox.isFetchNextPageError && (
            <Alert type="error" showIcon title={t('moreFailed')} description={inbox.error.message} />
          )}
          {inbox.hasNextPage && (
            <Button
              className={styles.more ?? ''}
              loading={inbox.isFetchingNextPage}
              onClick={() => void inbox.fetchNextPage()}
            >
              {t('more')}
            </Button>
          )}
        </div>
      </Panel>
    </Page>
  );
}

function Choice(props: {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  return (
    <Button
      size="small"
      type={props.isChosen ? 'default' : 'text'}
      aria-pressed={props.isChosen}
      onClick={props.onChoose}
    >
      {props.label}
    </Button>
  );
}
