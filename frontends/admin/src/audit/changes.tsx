import type { AuditRow } from '@talpa/contracts';
import { useAuditChanges } from '@talpa/panel-features/audit';
import { Change } from '@talpa/panel-kit/ui';
import styles from './audit.module.css';

type Changes = ReturnType<ReturnType<typeof useAuditChanges>>;

/** What a row changed: values that turned from one into another, and what has one side alone. */
export function useRowChanges(row: AuditRow): { readonly turned: Changes; readonly others: Changes } {
  const changes = useAuditChanges()(row.changes, row.action);
  const hasBoth = ({ from, to }: Changes[number]) => from !== null && to !== null;
  return { turned: changes.filter(hasBoth), others: changes.filter((change) => !hasBoth(change)) };
}

export function ChangeList({ changes }: { readonly changes: Changes }) {
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
