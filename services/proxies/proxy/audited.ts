import type { AuditEntry } from '@talpa/service-kit/database/transaction';
import { entriesOf } from './entries.ts';
import type { ProxyRow } from './row.ts';

/** What the audit trail says a change was about. */
export function auditOf(row: ProxyRow): Pick<AuditEntry, 'target' | 'subjectUserId'> {
  return { target: { kind: 'proxy', id: row.id, label: row.serverName }, subjectUserId: row.userId };
}

/** The fields of a proxy whose changes the audit trail shows, named as in the API. */
export const auditedState = (row: ProxyRow) => ({ ...entriesOf(row), hostname: row.hostname });
