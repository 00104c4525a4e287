import type { AuditRow } from '@talpa/contracts';
import { repeatedRows } from '@talpa/panel-features/audit';
import { formatDate } from '@talpa/panel-kit/core';
import styles from './audit.module.css';
import { AuditListRow } from './audit-row.tsx';
import { useRowSentence } from './linked-sentence.tsx';

/** Rows of the trail, the newest first, by days; those that repeat each other as one. */
export function AuditList(props: {
  readonly label: string;
  readonly rows: readonly AuditRow[];
  /** Others are on their way. */
  readonly isBusy: boolean;
}) {
  const { label, rows, isBusy } = props;
  const sentence = useRowSentence();
  // What a row is about may be another session or email with the same name: its details say which.
  const saidOf = (row: AuditRow) => [sentence(row), row.changes, row.client, row.actor?.apiKey?.id];
  const days = Object.entries(Object.groupBy(rows, ({ at }) => formatDate(at, 'de') ?? at));
  return (
    <div className={styles.days} aria-busy={isBusy}>
      {days.map(([day, ofDay]) => (
        <section key={day}>
          <h3 className={styles.day}>{day}</h3>
          <ul className={styles.rows} aria-label={`${label}: ${day}`}>
            {repeatedRows(ofDay ?? [], saidOf).map((rows) => (
              <AuditListRow key={rows[0].id} rows={rows} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
