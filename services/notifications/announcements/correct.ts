import { jsonOf } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { type AnnouncementRow, contentOf } from './sql.ts';

/**
 * Lets inboxes, the pages that show it, and what is not sent yet say what an announcement says now. Emails and channel
 * messages that are still waiting do not announce what has ended.
 */
export async function correctCopies(tx: Tx, row: AnnouncementRow): Promise<void> {
  await correctInboxes(tx, row);
  await correctUnsent(tx, row, 'mails');
  await correctUnsent(tx, row, 'deliveries');
}

async function correctInboxes(tx: Tx, row: AnnouncementRow): Promise<void> {
  const { params } = contentOf(row);
  const readers = await tx.sql<{ userId: number; isUnread: boolean }[]>`
    update inbox set params = ${jsonOf(tx.sql, params)}
    where kind = 'announcement' and (params ->> 'announcementId')::bigint = ${row.id}
    returning user_id, read_at is null as is_unread`;
  tx.invalidate(...readers.filter(({ isUnread }) => isUnread).map(({ userId }) => userId));
}

async function correctUnsent(tx: Tx, row: AnnouncementRow, table: 'mails' | 'deliveries'): Promise<void> {
  const { sql } = tx;
  const named = sql.json([{ kind: 'announcement', params: { announcementId: row.id } }]);
  const list = table === 'mails' ? sql`params -> 'notifications'` : sql`notifications`;
  // Locked before the two statements: a failed attempt could put one back into the queue between them.
  const waiting = await sql<{ id: number }[]>`
    select id from ${sql(table)} where state = 'queued' and ${list} @> ${named} order by id for update`;
  const ids = waiting.map(({ id }) => id);
  if (ids.length === 0) return;
  const hasEnded = row.endsAt <= new Date();
  if (hasEnded)
    await sql`delete from ${sql(table)} where id = any(${ids}::bigint[]) and jsonb_array_length(${list}) = 1`;
  // What else stands there stays: messages of the installation say whom they are about.
  const { params } = contentOf(row);
  const corrected = sql`(
    select jsonb_agg(case when ${isIt(tx, row.id)} then one || ${jsonOf(sql, { params })} else one end order by at)
    from jsonb_array_elements(${list}) with ordinality as each (one, at)
    where not (${hasEnded} and ${isIt(tx, row.id)}))`;
  if (table === 'mails')
    await sql`update mails set params = jsonb_build_object('notifications', ${corrected}) where id = any(${ids}::bigint[])`;
  else await sql`update deliveries set notifications = ${corrected} where id = any(${ids}::bigint[])`;
}

const isIt = ({ sql }: Tx, id: number) =>
  sql`(one ->> 'kind' = 'announcement' and (one -> 'params' ->> 'announcementId')::bigint = ${id})`;
