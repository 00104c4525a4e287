import { Link } from '@talpa/panel-kit/router';
import { EmptyState, ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { AuditList } from '../audit/audit-list.tsx';
import { addressOf } from '../audit/filter.ts';
import { auditQuery } from '../audit/query.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import styles from './user.module.css';

const shown = 8;

/** The newest of what concerns a user. */
export function UserAudit({ userId }: { readonly userId: number }) {
  const t = useAdminTexts();
  const filter = { subject: userId };
  const audit = useQuery(auditQuery({ ...filter, limit: shown }));
  return (
    <Panel title={t('user.audit')} extra={<Link to={addressOf(filter)}>{t('user.audit.all')}</Link>} flush>
      {audit.isPending && <Skeleton active className={styles.skeleton ?? ''} paragraph={{ rows: 4 }} />}
      {audit.isError && (
        <ErrorCard
          title={t('user.audit.failed')}
          error={audit.error}
          retry={() => void audit.refetch()}
          retrying={audit.isFetching}
        />
      )}
      {audit.data?.rows.length === 0 && (
        <EmptyState icon={<ScrollText size={22} aria-hidden />} title={t('user.audit.empty')} />
      )}
      {audit.data && audit.data.rows.length > 0 && (
        <AuditList label={t('user.audit')} rows={audit.data.rows} isBusy={false} />
      )}
    </Panel>
  );
}
