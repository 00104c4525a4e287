import type { AuditChanges, AuditKey, AuditMessage, AuditTarget } from '@talpa/contracts';
import { fitting, pageBytes } from '@talpa/service-kit/database/page';
import { type AnySql, jsonOf, type Sql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { counter } from '@talpa/service-kit/telemetry/metrics';
import type { StatsContext } from '../context.ts';
import { lockUsers } from './users.ts';

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
  if (named.length > 0) await lockUsers(tx, named, 'shared');
  await tx.sql`
    insert into audit (id, at, service, action, actor_user_id, actor_is_admin, actor_session_id, actor_key_id,
      actor_key_name, address, user_agent, target_kind, target_id, target_label, subject_user_id, changes, request_id)
    select id, at, service, action, (actor ->> 'userId')::bigint, (actor ->> 'isAdmin')::boolean,
      (actor ->> 'sessionId')::uuid, (actor -> 'apiKey' ->> 'id')::bigint,
      case when gone_actor.user_id is null then actor -> 'apiKey' ->> 'name' end, client ->> 'address', client ->> 'userAgent', target ->> 'kind',
      target ->> 'id', case when gone.user_id is null then target ->> 'label' end, "subjectUserId",
      case when gone.user_id is null then changes else changes - 'username' end, "requestId"
    from jsonb_to_recordset(${jsonOf(tx.sql, rows)}) as one (
      id uuid, at timestamptz, service text, action text, actor jsonb, client jsonb, target jsonb,
      "subjectUserId" bigint, changes jsonb, "requestId" text)
      left join users as gone on gone.user_id = "subjectUserId" and gone.username is null
      left join users as gone_actor
        on gone_actor.user_id = (actor ->> 'userId')::bigint and gone_actor.username is null
    order by id
    on conflict (id) do nothing`;
}

const dropped = counter(
  'talpa_dead_letters_dropped_total',
  'Messages that could not be read and were dropped, because too many dead letters of their sender are kept',
  ['kind'],
);

/** Postgres stores no NUL; reasons may quote all of a row. */
const storable = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed();

/** What was received as a row, and from whom. */
export interface Letter {
  /** A service; empty: kept by a version that did not store it. */
  readonly sender: string;
  readonly payload: string;
}

/** So much is kept of each sender. What no longer fits is dropped: the first ones say best how it began. */
export const mostDeadLetters = { count: 1_000, bytes: 8 * 1_024 * 1_024 };

/** Puts aside what this version cannot read, and counts what there is no room for. */
export async function storeDeadLetters(
  tx: Tx,
  faults: readonly (Letter & { readonly why: Error })[],
): Promise<void> {
  const stored = await tx.sql<{ sender: string; count: number; bytes: number }[]>`
    select sender, count(*), sum(octet_length(payload)) as bytes from audit_dead_letters group by sender`;
  const rooms = new Map(stored.map(({ sender, ...room }) => [sender, room]));
  const rows = faults.flatMap(({ sender, payload, why }) => {
    const { count = 0, bytes = 0 } = rooms.get(sender) ?? {};
    const room = { count: count + 1, bytes: bytes + Buffer.byteLength(payload) };
    if (room.count > mostDeadLetters.count || room.bytes > mostDeadLetters.bytes) {
      dropped.labels('audit').inc();
      return [];
    }
    rooms.set(sender, room);
    return { sender, payload: storable(payload), why: storable(why.message).slice(0, 1_000) };
  });
  if (rows.length > 0) await tx.sql`insert into audit_dead_letters ${tx.sql(rows)}`;
}

/** The columns of rows as they are shown, for a table or subquery called `audit`. */
export const columns = (sql: AnySql) => sql`
  audit.*, actors.username as actor_username, subjects.username as subject_username`;
export const withUsers = (sql: AnySql) => sql`
  left join users as actors on actors.user_id = audit.actor_user_id
  left join users as subjects on subjects.user_id = audit.subject_user_id`;

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
