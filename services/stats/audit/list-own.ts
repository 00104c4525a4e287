import { exportBytes, type InternalCalls, type OwnAuditRow, type Routes, type Verb } from '@talpa/contracts';
import { fitting } from '@talpa/service-kit/database/page';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { StatsContext } from '../context.ts';
import { type AuditTableRow, before, clientOf, keyOf, otherActorOf, pageOf, targetOf } from './sql.ts';

/** What one did and what was done to one, the newest first. */
export const listOwnAudit: Verb<Routes['GET /api/user/audit'], StatsContext> = async (
  context,
  { limit, cursor },
) => pageOf(context, await rowsAbout(context.sql, context.actor.userId, limit + 1, cursor), limit);

const exportedAtOnce = 1_000;

/** The user's own export of the audit trail: as much as fits into the response beside the other services' parts. */
export const exportUser: Verb<InternalCalls['stats.exportUser'], StatsContext> = async (
  { sql },
  { userId, after },
) => {
  const rows = await rowsAbout(sql, userId, exportedAtOnce + 1, after ?? undefined);
  const audit = fitting(rows.slice(0, exportedAtOnce), (row) => row, exportBytes.audit);
  return { audit, next: audit.length < rows.length ? (audit.at(-1)?.id ?? null) : null };
};

async function rowsAbout(
  sql: AnySql,
  userId: number,
  limit: number,
  cursor?: string,
): Promise<OwnAuditRow[]> {
  const older = before(sql, cursor);
  // Each half is the beginning of an index; together they hold the page.
  const rows = await sql<AuditTableRow[]>`
    select about.*, users.username as actor_username from (
      (select * from audit where actor_user_id = ${userId} ${older} order by at desc, id desc limit ${limit})
      union
      (select * from audit where subject_user_id = ${userId} ${older} order by at desc, id desc limit ${limit})
    ) as about left join users on users.user_id = actor_user_id
    order by at desc, id desc limit ${limit}`;
  return rows.map((row) => ownRow(row, userId));
}

function ownRow(row: AuditTableRow, userId: number): OwnAuditRow {
  const { id, action, changes } = row;
  const by = row.actorUserId === userId ? 'self' : otherActorOf(row);
  const at = row.at.toISOString();
  return {
    id,
    at,
    action,
    target: targetOf(row),
    changes,
    by,
    byName: by === 'member' ? row.actorUsername : null,
    ...(by === 'self' ? { client: clientOf(row), apiKey: keyOf(row) } : { client: null, apiKey: null }),
  };
}
