import type { AuditEntry } from '@talpa/service-kit/database/transaction';
import type { ServerRow } from './row.ts';

/** What the audit trail says a change was about. */
export const auditOfServer = ({
  id,
  name,
  userId,
}: Pick<ServerRow, 'id' | 'name' | 'userId'>): Pick<AuditEntry, 'target' | 'subjectUserId'> => ({
  target: { kind: 'server', id, label: name },
  subjectUserId: userId,
});
