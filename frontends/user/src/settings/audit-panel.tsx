import type { OwnAuditRow } from '@talpa/contracts';
import { useAuditChanges, useAuditSentence, useDeviceText } from '@talpa/panel-features/audit';
import { formatTime, ownAuditQuery, useLanguage, useUser } from '@talpa/panel-kit/core';
import { Alert, Button, Change, EmptyState, ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import styles from './security.module.css';
import { useSettingsTexts } from './texts.ts';

/** The user's activity log in plain sentences, page by page. */
export function AuditPanel() {
  const t = useSettingsTexts();
  const audit = useInfiniteQuery(ownAuditQuery);
  const rows = audit.data?.pages.flat() ?? [];
  return (
    <Panel title={t('audit')}>
      <p className={styles.text}>{t('audit.text')}</p>
      {audit.isPending && <Skeleton active paragraph={{ rows: 6 }} />}
      {audit.isError && rows.length === 0 && (
        <ErrorCard
          title={t('audit.failed')}
          error={audit.error}
          retry={() => void audit.refetch()}
          retrying={audit.isFetching}
        />
      )}
      {audit.isSuccess && rows.length === 0 && (
        <EmptyState icon={<ScrollText size={22} aria-hidden />} title={t('audit.empty')} />
      )}
      {rows.length > 0 && (
        <ul className={styles.list} aria-label={t('audit')}>
          {rows.map((row) => (
            <Entry key={row.id} row={row} />
          ))}
        </ul>
      )}
      {audit.isFetchNextPageError && (
        <Alert type="error" showIcon title={t('audit.moreFailed')} description={audit.error.message} />
      )}
      {audit.hasNextPage && (
        <Button
          className={styles.more ?? ''}
          loading={audit.isFetchingNextPage}
          onClick={() => void audit.fetchNextPage()}
        >
          {t('audit.more')}
        </Button>
      )}
    </Panel>
  );
}

function Entry({ row }: { readonly row: OwnAuditRow }) {
  const language = useLanguage();
  const sentence = useAuditSentence(useUser().id);
  const changes = useAuditChanges();
  const device = useDeviceText();
  const shownChanges = isCreation(row) ? [] : changes(row.changes, row.action);
  const { client, by, byName } = row;
  const actor = by === 'member' ? ({ kind: 'user', name: byName } as const) : { kind: by };
  const from = [client?.userAgent ? device(client.userAgent) : null, client?.address ?? null].filter(Boolean);
  return (
    <li className={styles.entry}>
      <time dateTime={row.at} className={styles.time}>
        {formatTime(row.at, language)}
      </time>
      <div className={styles.what}>
        <span>{sentence({ ...row, actor })}</span>
        {shownChanges.length > 0 && (
          <ul className={styles.changes}>
            {shownChanges.map((change) => (
              <li key={change.field}>
                <Change {...change} />
              </li>
            ))}
          </ul>
        )}
        {from.length > 0 && <span className={styles.from}>{from.join(' · ')}</span>}
      </div>
    </li>
  );
}

/** What something was made with says no more than its name. */
const isCreation = ({ action }: OwnAuditRow) =>
  action === 'proxy.create' || action === 'user.create' || action === 'user.register';
