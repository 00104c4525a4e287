import type { AuditChanges, AuditMessage, AuditTarget } from '@talpa/contracts';
import type { AnySql, Sql } from '@talpa/service-kit/database/connect';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { StatsContext } from '../app.ts';
import { lockPerson } from './people.ts';

export interface AuditTableRow {
  id: string;
  at: Date;
  action: AuditMessage['action'];
  actorUserId: number | null;
  actorUsername: string | null;
  actorIsAdmin: boolean | null;
  actorSessionId: string | null;
  address: string | null;
  userAgent: string | null;
  targetKind: AuditTarget['kind'];
  targetId: string;
  targetLabel: string | null;
  subjectUserId: number | null;
  changes: AuditChanges;
  requestId: string;
}

/** Keeps a row, once however often it arrives; without names of somebody who is gone already. */
export async function insertRow(tx: Tx, row: AuditMessage): Promise<void> {
  const { subjectUserId, target, actor, origin } = row;
  if (subjectUserId !== null) await lockPerson(tx, subjectUserId, 'shared');
  const [gone] = await tx.sql`
    select 1 from people where user_id = ${subjectUserId} and username is null`;
  const { username: _name, ...nameless } = row.changes;
  await tx.sql`
    insert into audit (id, at, service, action, actor_user_id, actor_is_admin, actor_session_id, address,
      user_agent, target_kind, target_id, target_label, subject_user_id, changes, request_id)
    values (${row.id}, ${row.at}, ${row.service}, ${row.action}, ${actor?.userId ?? null},
      ${actor?.isAdmin ?? null}, ${actor?.sessionId ?? null}, ${origin?.address ?? null},
      ${origin?.userAgent ?? null}, ${target.kind}, ${target.id}, ${gone ? null : target.label},
      ${subjectUserId}, ${tx.sql.json(gone ? nameless : row.changes)}, ${row.requestId})
    on conflict (id) do nothing`;
}

/** The columns of rows as they are shown, for a table or subquery called `audit`. */
export const columns = (sql: AnySql) => sql`
  audit.*, people.username as actor_username`;
export const withPeople = (sql: AnySql) => sql`left join people on people.user_id = audit.actor_user_id`;

/** Only rows before the one that was seen last. */
export const before = (sql: AnySql, cursor: string | undefined) =>
  cursor ? sql`and (at, id) < (select at, id from audit where id = ${cursor})` : sql``;

/** The rows of a page, of which one more was read to know whether it goes on. */
export function pageOf<Row extends { readonly id: string }>(
  context: Pick<StatsContext, 'setPage'>,
  rows: readonly Row[],
  limit: number,
): Row[] {
  const shown = rows.slice(0, limit);
  context.setPage({ next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null, total: null });
  return shown;
}

/** From where something was done; null when nobody's or forgotten by now. */
export function originOf({ address, userAgent }: AuditTableRow): AuditMessage['origin'] {
  return address === null && userAgent === null ? null : { address, userAgent };
}

export function targetOf(row: AuditTableRow): AuditTarget {
  return { kind: row.targetKind, id: row.targetId, label: row.targetLabel };
}

const batch = 5_000;

/** Forgets a batch of what is older than it may be kept. @returns how many rows it found */
export async function forgetOld(sql: Sql, days: { rows: number; addresses: number }): Promise<number> {
  const deleted = await sql`
    delete from audit where id in (
      select id from audit where at < now() - ${`${days.rows} days`}::interval order by at limit ${batch})`;
  const nulled = await sql`
    update audit set address = null, user_agent = null where id in (
      select id from audit
      where at < now() - ${`${days.addresses} days`}::interval
        and (address is not null or user_agent is not null)
      order by at limit ${batch})`;
  return deleted.count + nulled.count;
}
