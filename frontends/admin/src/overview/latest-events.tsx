import { Link } from '@talpa/panel-kit/router';
import { ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { AuditList } from '../audit/audit-list.tsx';
import { auditQuery } from '../audit/query.ts';
import { pages } from '../pages.ts';
import styles from './overview.module.css';
import { useOverviewTexts } from './texts.ts';

const shown = 5;

/** The newest of the whole trail. */
export function LatestEvents() {
  const t = useOverviewTexts();
  const audit = useQuery(auditQuery({ limit: shown }));
  return (
    <Panel title={t('events')} extra={<Link to={pages.audit.path}>{t('events.all')}</Link>} flush>
      {audit.isPending && <Skeleton active className={styles.skeleton ?? ''} paragraph={{ rows: 4 }} />}
      {audit.isError && !audit.data && (
        <ErrorCard
          title={t('events.failed')}
          error={audit.error}
          retry={() => void audit.refetch()}
          retrying={audit.isFetching}
        />
      )}
      {audit.data && <AuditList label={t('events')} rows={audit.data.rows} isBusy={false} />}
    </Panel>
  );
}
