import type { Certificate } from '@talpa/contracts';
import { certificateProblems } from '@talpa/contracts/certificate-problems';
import { formatShortTime, formatTime } from '@talpa/panel-kit/core';
import { LongText, type RowShape } from '@talpa/panel-kit/table';
import { Tag } from '@talpa/panel-kit/ui';
import { RefreshCw } from 'lucide-react';
import styles from './system.module.css';
import { useSystemTexts } from './texts.ts';

/** A certificate in its list, whose names are its only ids. */
export type CertificateRow = Certificate & { readonly id: number };

const colors = { valid: 'success', pending: 'processing', failing: 'error', expired: 'error' } as const;

/** Certificates as rows. */
export function useCertificateRows(
  onOrder: (certificate: Certificate) => void,
  ordering: string | null,
): RowShape<CertificateRow> {
  const t = useSystemTexts();
  return {
    label: t('certificates'),
    actions: (certificate) => [
      {
        key: 'order',
        text: t('order'),
        short: t('order.short'),
        name: t('action', { action: t('order'), name: certificate.name }),
        Icon: RefreshCw,
        disabled: ordering === certificate.name,
        onClick: () => onOrder(certificate),
      },
    ],
    columns: [
      {
        key: 'name',
        title: t('column.name'),
        render: ({ name }) => <LongText text={name} />,
        min: 190,
        grow: 3,
        onCard: 'title',
      },
      {
        key: 'state',
        title: t('column.state'),
        render: ({ state }) => <Tag color={colors[state]}>{t(`state.${state}`)}</Tag>,
        min: 130,
        onCard: 'extra',
      },
      {
        key: 'notAfter',
        title: t('column.notAfter'),
        render: ({ notAfter }) => (notAfter ? formatShortTime(notAfter, 'de') : t('none')),
        min: 150,
        grow: 1,
      },
      {
        key: 'problem',
        title: t('column.problem'),
        render: (certificate) => <Problem certificate={certificate} />,
        min: 260,
        grow: 6,
      },
    ],
  };
}

/** Why it failed, what to do, what the other side said, and when it is tried again. */
function Problem({ certificate }: { readonly certificate: Certificate }) {
  const t = useSystemTexts();
  const { problem, detail, nextAttemptAt } = certificate;
  if (!problem) return t('none');
  return (
    <div className={styles.problem} data-sentences>
      <span>{certificateProblems[problem].de}</span>
      {detail && <span className={styles.detail}>{t('answer', { detail })}</span>}
      {nextAttemptAt && (
        <span className={styles.detail}>{t('nextAttempt', { time: formatTime(nextAttemptAt, 'de') })}</span>
      )}
    </div>
  );
}
