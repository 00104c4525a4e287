import {
  type InstallationContent,
  installationEvent,
  installationKinds,
  type NotificationContent,
  notificationKinds,
} from '@talpa/contracts';
import { jsonOf } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';

/** What comes within this time of the first makes one message with it where people read it. */
const groupSeconds = 60;

/** Orders deliveries of what has come into inboxes, in the transaction that puts it there. */
export async function orderDeliveries(
  tx: Tx,
  inserted: readonly { readonly userId: number; readonly content: NotificationContent }[],
): Promise<void> {
  await order(
    tx,
    'users',
    inserted.map(({ userId, content }) => ({
      userId,
      topic: notificationKinds[content.kind].topic,
      content,
    })),
  );
}

const dayMs = 86_400_000;

/** Whether something was made lately. The first snapshot of what is older comes from a projection that is built anew. */
export const isRecent = (createdAt: string): boolean => Date.parse(createdAt) > Date.now() - dayMs;

/** Something that has happened; `userId`: whom it concerns, null: no single user. */
export interface NewEvent {
  readonly userId: number | null;
  readonly content: InstallationContent | NotificationContent;
}

/**
 * Orders deliveries to the channels of the installation, whatever the users' preferences say, in the transaction that stores what has
 * happened. What happens to somebody who is gone is nobody's business any more.
 */
export async function orderInstallationDeliveries(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const [channel] = await tx.sql`select 1 from channels where user_id is null and state = 'active' limit 1`;
  if (!channel) return;
  const userIds = events.flatMap(({ userId }) => userId ?? []);
  const users = await tx.sql<{ userId: number; username: string | null }[]>`
    select user_id, username from users where user_id = any(${userIds}::bigint[])`;
  const names = new Map(users.map(({ userId, username }) => [userId, username]));
  const known = events.filter(
    ({ userId, content }) => content.kind === 'user_deleted' || userId === null || names.get(userId) !== null,
  );
  await order(
    tx,
    'installation',
    known.map(({ userId, content }) => ({
      userId,
      topic: installationKinds[content.kind].topic,
      content: installationEvent.parse({
        ...content,
        userId,
        user: userId === null ? null : (names.get(userId) ?? null),
      }),
    })),
  );
}

interface Order {
  readonly userId: number | null;
  readonly topic: string;
  readonly content: object;
}

/**
 * Programs get each notification by itself and at once, people get what comes within a minute together; what concerns security waits
 * for nothing. A group that is being filled, or taken by its sender, is passed over: there is then a second one.
 */
async function order(tx: Tx, whose: 'users' | 'installation', orders: readonly Order[]): Promise<void> {
  if (orders.length === 0) return;
  const { sql } = tx;
  const isTheirs = whose === 'users' ? sql`channels.user_id = one."userId"` : sql`channels.user_id is null`;
  const placed = orders.map((one, place) => ({ ...one, place }));
  await sql`
    with wanted as (
      select channels.id as channel_id, content, place, kind <> 'webhook' and topic <> 'security' as is_grouped
      from jsonb_to_recordset(${jsonOf(sql, placed)}) as one (
        "userId" bigint, topic text, content jsonb, place integer)
        join channels on ${isTheirs} and state = 'active' and topic = any(topics)),
    news as (
      select channel_id, jsonb_agg(content order by place) as news from wanted where is_grouped group by channel_id),
    open as (
      select found.id, news.channel_id, news from news cross join lateral (
        select id from deliveries
        where deliveries.channel_id = news.channel_id and is_open and state = 'queued' and attempts = 0 and due_at > now()
        order by id limit 1 for update skip locked) as found),
    filled as (
      update deliveries set notifications = notifications || news
      from open where deliveries.id = open.id
      returning deliveries.channel_id),
    singly as (
      insert into deliveries (channel_id, notifications, state, due_at)
      select channel_id, jsonb_build_array(content), 'queued', now() from wanted where not is_grouped order by place)
    insert into deliveries (channel_id, notifications, is_open, state, due_at)
    select channel_id, news, true, 'queued', now() + ${groupSeconds} * interval '1 second'
    from news where channel_id not in (select channel_id from filled)`;
}
