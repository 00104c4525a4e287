import type { OwnAuditRow, Routes, Verb } from '@talpa/contracts';
import type { StatsContext } from '../app.ts';
import { type AuditTableRow, before, originOf, targetOf } from './sql.ts';

/** What one did and what was done to one, the newest first. */
export const listOwnAudit: Verb<Routes['GET /api/user/audit'], StatsContext> = async (
  { sql, actor },
  { limit, cursor },
) => {
  const { userId } = actor;
  const older = before(sql, cursor);
  // Each half is the beginning of an index; together they hold the page.
  const rows = await sql<AuditTableRow[]>`
    (select * from audit where actor_user_id = ${userId} ${older} order by at desc, id desc limit ${limit})
    union
    (select * from audit where subject_user_id = ${userId} ${older} order by at desc, id desc limit ${limit})
    order by at desc, id desc limit ${limit}`;
  return rows.map((row) => ownRow(row, userId));
};

function ownRow(row: AuditTableRow, userId: number): OwnAuditRow {
  const { id, action, changes } = row;
  const by = row.actorUserId === null ? 'system' : row.actorUserId === userId ? 'self' : 'administrator';
  const at = row.at.toISOString();
  return { id, at, action, target: targetOf(row), changes, by, origin: by === 'self' ? originOf(row) : null };
}
