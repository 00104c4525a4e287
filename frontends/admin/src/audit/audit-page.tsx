import { Link } from '@talpa/panel-kit/router';
import { Button, EmptyState, ErrorCard, Page, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { ArrowUpToLine, ChevronRight, RefreshCw, ScrollText } from 'lucide-react';
import styles from './audit.module.css';
import { AuditList } from './audit-list.tsx';
import { useAuditAddress } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { auditQuery } from './query.ts';
import { useAuditPageTexts } from './texts.ts';

/** Who did what, when and from where; the filter and the page stand in the address. */
export function AuditPage() {
  const t = useAuditPageTexts();
  const { filter, setFilter, cursor, after, newest } = useAuditAddress();
  const audit = useQuery(auditQuery(filter, cursor));
  const rows = audit.data?.rows ?? [];
  const next = audit.data?.next ?? null;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title={t('title')}
      subtitle={t('subtitle')}
      actions={
        <Button
          icon={<RefreshCw size={15} aria-hidden />}
          loading={audit.isRefetching}
          onClick={() => void audit.refetch()}
        >
          {t('refresh')}
        </Button>
      }
    >
      <FilterBar filter={filter} setFilter={setFilter} />
      <Panel
        title={t('list')}
        extra={
          isFiltered && (
            <Button size="small" onClick={() => setFilter({})}>
              {t('filter.reset')}
            </Button>
          )
        }
        flush
        footer={
          (next || cursor) && (
            <nav className={styles.pages} aria-label={t('pages')}>
              {cursor && (
                <Link to={newest}>
                  <ArrowUpToLine size={15} aria-hidden />
                  {t('newest')}
                </Link>
              )}
              {next && (
                <Link className={styles.older} to={after(next)}>
                  {t('older')}
                  <ChevronRight size={15} aria-hidden />
                </Link>
              )}
            </nav>
          )
        }
      >
        {audit.isPending && <Skeleton active className={styles.skeleton ?? ''} paragraph={{ rows: 8 }} />}
        {audit.isError && (
          <ErrorCard
            title={t('loadFailed')}
            error={audit.error}
            retry={() => void audit.refetch()}
            retrying={audit.isFetching}
          />
        )}
        {audit.isSuccess && rows.length === 0 && (
          <EmptyState
            icon={<ScrollText size={22} aria-hidden />}
            title={t(isFiltered ? 'noneFound' : 'empty')}
            text={t(isFiltered ? 'noneFound.text' : 'empty.text')}
          />
        )}
        {audit.isSuccess && rows.length > 0 && <AuditList label={t('list')} rows={rows} />}
      </Panel>
    </Page>
  );
}
