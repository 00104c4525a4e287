import type { AuditChanges, AuditKey, AuditMessage, AuditTarget } from '@talpa/contracts';
import { fitting, pageBytes } from '@talpa/service-kit/database/page';
import type { AnySql, Sql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { StatsContext } from '../context.ts';
import { lockPeople } from './people.ts';

export interface AuditTableRow {
  id: string;
  at: Date;
  action: AuditMessage['action'];
  actorUserId: number | null;
  actorUsername: string | null;
  actorIsAdmin: boolean | null;
  actorSessionId: string | null;
  actorKeyId: number | null;
  actorKeyName: string | null;
  address: string | null;
  userAgent: string | null;
  targetKind: AuditTarget['kind'];
  targetId: string;
  targetLabel: string | null;
  subjectUserId: number | null;
  subjectUsername: string | null;
  changes: AuditChanges;
  requestId: string;
}

/** Keeps rows, once however often they arrive; without names of somebody who is gone already. */
export async function insertRows(tx: Tx, rows: readonly AuditMessage[]): Promise<void> {
  const named = rows.flatMap(({ subjectUserId, actor }) => [
    ...(subjectUserId === null ? [] : [subjectUserId]),
    ...(actor?.apiKey ? [actor.userId] : []),
  ]);
  if (named.length > 0) await lockPeople(tx, named, 'shared');
  await tx.sql`
    insert into audit (id, at, service, action, actor_user_id, actor_is_admin, actor_session_id, actor_key_id,
      actor_key_name, address, user_agent, target_kind, target_id, target_label, subject_user_id, changes, request_id)
    select id, at, service, action, (actor ->> 'userId')::bigint, (actor ->> 'isAdmin')::boolean,
      (actor ->> 'sessionId')::uuid, (actor -> 'apiKey' ->> 'id')::bigint,
      case when gone_actor.user_id is null then actor -> 'apiKey' ->> 'name' end, client ->> 'address', client ->> 'userAgent', target ->> 'kind',
      target ->> 'id', case when gone.user_id is null then target ->> 'label' end, "subjectUserId",
      case when gone.user_id is null then changes else changes - 'username' end, "requestId"
    from jsonb_to_recordset(${tx.sql.json(rows as never)}) as one (
      id uuid, at timestamptz, service text, action text, actor jsonb, client jsonb, target jsonb,
      "subjectUserId" bigint, changes jsonb, "requestId" text)
      left join people as gone on gone.user_id = "subjectUserId" and gone.username is null
      left join people as gone_actor
        on gone_actor.user_id = (actor ->> 'userId')::bigint and gone_actor.username is null
    order by id
    on conflict (id) do nothing`;
}

/** Postgres stores no NUL; reasons may quote all of a row. */
const storable = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed();

/** Puts aside what this version cannot read. */
export async function storeDeadLetters(
  tx: Tx,
  faults: readonly { readonly payload: string; readonly why: Error }[],
): Promise<void> {
  const rows = faults.map(({ payload, why }) => ({
    payload: storable(payload),
    why: storable(why.message).slice(0, 1_000),
  }));
  await tx.sql`insert into audit_dead_letters ${tx.sql(rows)}`;
}

/** The columns of rows as they are shown, for a table or subquery called `audit`. */
export const columns = (sql: AnySql) => sql`
  audit.*, actors.username as actor_username, subjects.username as subject_username`;
export const withPeople = (sql: AnySql) => sql`
  left join people as actors on actors.user_id = audit.actor_user_id
  left join people as subjects on subjects.user_id = audit.subject_user_id`;

/** Only rows before the one that was seen last. */
export const before = (sql: AnySql, cursor: string | undefined) =>
  cursor ? sql`and (at, id) < (select at, id from audit where id = ${cursor})` : sql``;

/** The rows of a page, of which one more was read to know whether it goes on. */
export function pageOf<Row extends { readonly id: string }>(
  context: Pick<StatsContext, 'setPage'>,
  rows: readonly Row[],
  limit: number,
): Row[] {
  const shown = fitting(rows.slice(0, limit), (row) => row, pageBytes);
  context.setPage({ next: rows.length > shown.length ? (shown.at(-1)?.id ?? null) : null, total: null });
  return shown;
}

/** The API key that did it in its owner’s name; null: a session, or nobody. */
export const keyOf = ({ actorKeyId, actorKeyName }: AuditTableRow): AuditKey | null =>
  actorKeyId === null ? null : { id: actorKeyId, name: actorKeyName };

/** From where something was done; null when nobody's or forgotten by now. */
export function clientOf({ address, userAgent }: AuditTableRow): AuditMessage['client'] {
  return address === null && userAgent === null ? null : { address, userAgent };
}

/** Who did something that the owner of its data did not do. */
export function otherActorOf(row: AuditTableRow): 'member' | 'administrator' | 'system' {
  if (row.actorUserId === null) return 'system';
  return row.actorIsAdmin ? 'administrator' : 'member';
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
