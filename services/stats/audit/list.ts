import type { AuditRow, Routes, Verb } from '@talpa/contracts';
import type { StatsContext } from '../context.ts';
import { type AuditTableRow, before, clientOf, columns, keyOf, pageOf, targetOf, withUsers } from './sql.ts';

/** The whole trail, the newest first. */
export const listAudit: Verb<Routes['GET /api/admin/audit'], StatsContext> = async (context, input) => {
  const { sql } = context;
  const { actor, subject, action, targetKind, targetId, from, to } = input;
  const filters = [
    actor !== undefined && sql`and actor_user_id = ${actor}`,
    subject !== undefined && sql`and subject_user_id = ${subject}`,
    action && sql`and action = ${action}`,
    targetKind && sql`and target_kind = ${targetKind}`,
    targetId && sql`and target_id = ${targetId}`,
    from && sql`and at >= ${from}`,
    to && sql`and at < ${to}`,
    before(sql, input.cursor),
  ].filter((one) => typeof one === 'object');
  const rows = await sql<AuditTableRow[]>`
    select ${columns(sql)} from (
      select * from audit where true ${filters} order by at desc, id desc limit ${input.limit + 1}
    ) audit ${withUsers(sql)} order by at desc, id desc`;
  return pageOf(context, rows, input.limit).map(publicRow);
};

function publicRow(row: AuditTableRow): AuditRow {
  const { id, action, changes, subjectUserId, subjectUsername, requestId } = row;
  return {
    id,
    at: row.at.toISOString(),
    action,
    target: targetOf(row),
    changes,
    actor:
      row.actorUserId === null
        ? null
        : {
            userId: row.actorUserId,
            username: row.actorUsername,
            isAdmin: row.actorIsAdmin ?? false,
            sessionId: row.actorSessionId,
            apiKey: keyOf(row),
          },
    client: clientOf(row),
    subjectUserId,
    subjectUsername,
    requestId,
  };
}
