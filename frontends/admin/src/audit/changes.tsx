import type { AuditRow } from '@talpa/contracts';
import { useAuditChanges } from '@talpa/panel-features/audit';
import { Change } from '@talpa/panel-kit/ui';
import styles from './audit.module.css';

type Told = ReturnType<ReturnType<typeof useAuditChanges>>;

/** What a row changed: values that turned from one into another, and what has one side alone. */
export function useRowChanges(row: AuditRow): { readonly turned: Told; readonly others: Told } {
  const changes = useAuditChanges()(row.changes, row.action);
  const hasBoth = ({ from, to }: Told[number]) => from !== null && to !== null;
  return { turned: changes.filter(hasBoth), others: changes.filter((change) => !hasBoth(change)) };
}

export function ChangeList({ changes }: { readonly changes: Told }) {
  if (changes.length === 0) return null;
  return (
    <ul className={styles.changes}>
      {changes.map((change) => (
        <li key={change.field}>
          <Change {...change} />
        </li>
      ))}
    </ul>
  );
}
