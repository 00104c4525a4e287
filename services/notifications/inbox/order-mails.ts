import { type NotificationContent, notificationKinds } from '@talpa/contracts';
import { jsonOf } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';

/** What comes into an inbox within this time of the first makes one email with it. */
const groupSeconds = 60;

/**
 * Orders emails with what has come into inboxes, for those who want that. An email that is not sent yet takes in more. The
 * caller holds the inboxes, so that a user never has two of them; who sends it passes over one that is being filled.
 */
export async function mailNotifications(
  tx: Tx,
  inserted: readonly { readonly userId: number; readonly content: NotificationContent }[],
): Promise<void> {
  const mailed = inserted.filter(({ content }) => notificationKinds[content.kind].isMailed);
  if (mailed.length === 0) return;
  const lists = [...Map.groupBy(mailed, ({ userId }) => userId)].map(([userId, rows]) => ({
    userId,
    contents: rows.map(({ content }) => content),
  }));
  await tx.sql`
    with wanted as (
      select "userId" as user_id, contents from jsonb_to_recordset(${jsonOf(tx.sql, lists)}) as one (
        "userId" bigint, contents jsonb) join users on users.user_id = "userId"
      where wants_email and username is not null),
    filled as (
      update mails set params = jsonb_build_object('notifications', mails.params -> 'notifications' || contents)
      from wanted
      where mails.user_id = wanted.user_id and kind = 'notifications' and state = 'queued' and attempts = 0
        and due_at > now()
      returning mails.user_id)
    insert into mails (cause, user_id, kind, params, state, due_at)
    select gen_random_uuid(), user_id, 'notifications', jsonb_build_object('notifications', contents), 'queued',
      now() + ${groupSeconds} * interval '1 second'
    from wanted where user_id not in (select user_id from filled)`;
}
