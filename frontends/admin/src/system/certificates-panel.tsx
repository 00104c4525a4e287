import type { Certificate } from '@talpa/contracts';
import { certificatesQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { RowList } from '@talpa/panel-kit/table';
import { EmptyState, ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useCertificateRows } from './certificate-rows.tsx';
import styles from './system.module.css';
import { useSystemTexts } from './texts.ts';

/** The certificates that Talpa orders, each of which can be ordered at once. */
export function CertificatesPanel() {
  const t = useSystemTexts();
  const toast = useToast();
  const certificates = useQuery(certificatesQuery);
  const order = useApiMutation('POST /api/admin/certificates/order');
  const onOrder = ({ name }: Certificate) =>
    order.mutate(
      { name },
      {
        onSuccess: () => toast({ title: t('order.done'), text: t('order.doneText'), tone: 'success' }),
        onError: ({ message }) => toast({ title: t('order.failed'), text: message, tone: 'error' }),
      },
    );
  const shape = useCertificateRows(onOrder, (order.isPending && order.variables?.name) || null);
  const rows = certificates.data?.map((certificate, id) => ({ ...certificate, id }));
  return (
    <Panel title={t('certificates')} flush>
      {certificates.isPending && <Skeleton active className={styles.waiting ?? ''} paragraph={{ rows: 3 }} />}
      {certificates.isError && !rows && (
        <ErrorCard
          title={t('loadFailed')}
          error={certificates.error}
          retry={() => void certificates.refetch()}
          retrying={certificates.isFetching}
        />
      )}
      {certificates.data === null && (
        <EmptyState icon={<ShieldCheck size={22} aria-hidden />} title={t('off')} text={t('off.text')} />
      )}
      {rows && rows.length > 0 && <RowList shape={shape} rows={rows} />}
    </Panel>
  );
}
