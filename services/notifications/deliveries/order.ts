import { type NotificationContent, notificationKinds } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';

/** What comes into an inbox within this time of the first makes one message with it where people read it. */
const groupSeconds = 60;

/**
 * Orders deliveries of what has come into inboxes, in the transaction that puts it there. Programs get each notification by itself
 * and at once, people get what comes within a minute together; what concerns security waits for nothing. The caller holds the inboxes,
 * so that a channel never has two that take in more; who sends one passes over it while it is being filled.
 */
export async function orderDeliveries(
  tx: Tx,
  inserted: readonly { readonly userId: number; readonly content: NotificationContent }[],
): Promise<void> {
  if (inserted.length === 0) return;
  const rows = inserted.map(({ userId, content }, place) => {
    const { topic } = notificationKinds[content.kind];
    return { userId, topic, content, place };
  });
  await tx.sql`
    with wanted as (
      select channels.id as channel_id, content, place, kind <> 'webhook' and topic <> 'security' as is_grouped
      from jsonb_to_recordset(${tx.sql.json(rows as never)}) as one (
        "userId" bigint, topic text, content jsonb, place integer)
        join channels on channels.user_id = "userId" and state = 'active' and topic = any(topics)),
    grouped as (
      select channel_id, jsonb_agg(content order by place) as contents from wanted where is_grouped group by channel_id),
    filled as (
      update deliveries set notifications = notifications || contents
      from grouped
      where deliveries.channel_id = grouped.channel_id and is_open and state = 'queued' and attempts = 0
        and due_at > now()
      returning deliveries.channel_id),
    singly as (
      insert into deliveries (channel_id, notifications, state, due_at)
      select channel_id, jsonb_build_array(content), 'queued', now() from wanted where not is_grouped order by place)
    insert into deliveries (channel_id, notifications, is_open, state, due_at)
    select channel_id, contents, true, 'queued', now() + ${groupSeconds} * interval '1 second'
    from grouped where channel_id not in (select channel_id from filled)`;
}
