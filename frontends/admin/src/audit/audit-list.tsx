import type { AuditRow } from '@talpa/contracts';
import { formatDate } from '@talpa/panel-kit/core';
import styles from './audit.module.css';
import { AuditListRow } from './audit-row.tsx';

/** Rows of the trail, the newest first, by days. */
export function AuditList(props: {
  readonly label: string;
  readonly rows: readonly AuditRow[];
  /** Others are on their way. */
  readonly isBusy: boolean;
}) {
  const { label, rows, isBusy } = props;
  const days = Object.entries(Object.groupBy(rows, ({ at }) => formatDate(at, 'de') ?? at));
  return (
    <div className={styles.days} aria-busy={isBusy}>
      {days.map(([day, ofDay]) => (
        <section key={day}>
          <h3 className={styles.day}>{day}</h3>
          <ul className={styles.rows} aria-label={`${label}: ${day}`}>
            {ofDay?.map((row) => (
              <AuditListRow key={row.id} row={row} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
