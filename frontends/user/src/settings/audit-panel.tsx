import type { OwnAuditRow } from '@talpa/contracts';
import {
  type Repeated,
  repeatedRows,
  useAuditChanges,
  useAuditSentence,
  useDeviceText,
  useRepeatedText,
} from '@talpa/panel-features/audit';
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
  const said = useSaid();
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
          {repeatedRows(rows, (row) => [said(row)]).map((same) => (
            <Entry key={same[0].id} rows={same} />
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

/** What is shown of a row beside its time. */
function useSaid() {
  const sentence = useAuditSentence(useUser().id);
  const changes = useAuditChanges();
  const device = useDeviceText();
  return (row: OwnAuditRow) => {
    const { client, by, byName, apiKey } = row;
    const actor =
      by === 'member'
        ? ({ kind: 'user', name: byName } as const)
        : { kind: by, ...(by === 'self' && { key: apiKey?.name }) };
    return {
      sentence: sentence({ ...row, actor }),
      changes: isCreation(row) ? [] : changes(row.changes, row.action),
      from: [client?.userAgent ? device(client.userAgent) : null, client?.address ?? null].filter(Boolean),
    };
  };
}

function Entry({ rows }: { readonly rows: Repeated<OwnAuditRow> }) {
  const language = useLanguage();
  const repeated = useRepeatedText()(rows);
  const [row] = rows;
  const said = useSaid()(row);
  return (
    <li className={styles.entry}>
      <time dateTime={row.at} className={styles.time}>
        {formatTime(row.at, language)}
      </time>
      <div className={styles.what}>
        <span>{said.sentence}</span>
        {repeated && <span className={styles.from}>{repeated}</span>}
        {said.changes.length > 0 && (
          <ul className={styles.changes}>
            {said.changes.map((change) => (
              <li key={change.field}>
                <Change {...change} />
              </li>
            ))}
          </ul>
        )}
        {said.from.length > 0 && <span className={styles.from}>{said.from.join(' · ')}</span>}
      </div>
    </li>
  );
}

/** What something was made with says no more than its name. */
const isCreation = ({ action }: OwnAuditRow) =>
  action === 'proxy.create' || action === 'user.create' || action === 'user.register';
