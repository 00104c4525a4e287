import type {
  ChannelKind,
  Delivery,
  DeliveryFailure,
  DeliveryState,
  InstallationDelivery,
  InstallationEvent,
  Language,
  NotificationContent,
} from '@talpa/contracts';
import type { AnySql, Sql } from '@talpa/service-kit/database/sql';
import type { Owner } from '../channels/sql.ts';
import { outboundTotalMs } from '../outbound/client.ts';

/** How long a delivery belongs to one process: longer than an attempt may take. */
const leaseMs = 3 * outboundTotalMs;
/** How many of a user's channels, and of the installation's, are sent to at the same time, so that nobody takes all places. */
const atOncePerUser = 2;
/** A receiver that took this long is slow. */
const slowMs = 2_000;

export interface DeliveryRow extends Omit<InstallationDelivery, 'createdAt' | 'stateAt' | 'nextAttemptAt'> {
  readonly createdAt: Date;
  readonly stateAt: Date;
  readonly dueAt: Date | null;
}

/** A delivery that this process has for itself until its lease ends, with its channel. */
export interface ClaimedDelivery {
  readonly id: number;
  readonly messageId: string;
  readonly channelId: number;
  /** Of a user's channel notifications, of one of the installation events. */
  readonly notifications: readonly (NotificationContent | InstallationEvent)[];
  readonly createdAt: Date;
  readonly holder: string;
  readonly failures: number;
  /** Its last holder died before it could store how the attempt ended. */
  readonly wasHandedOver: boolean;
  readonly userId: Owner;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly language: Language;
  readonly secret: Buffer;
  readonly keyId: string;
  readonly formerSecretUntil: Date | null;
}

export const deliveryColumns = (sql: AnySql) => sql`
  deliveries.id, message_id, notifications, deliveries.created_at, deliveries.state, state_at, due_at, attempts,
    uncertain_attempts, status, failure, duration_ms`;

/** A delivery to a user's channel. */
export const publicDelivery = (row: DeliveryRow): Delivery => shownDelivery(row) as Delivery;

export function shownDelivery(row: DeliveryRow): InstallationDelivery {
  const { createdAt, stateAt, dueAt, ...shown } = row;
  return {
    ...shown,
    createdAt: createdAt.toISOString(),
    stateAt: stateAt.toISOString(),
    nextAttemptAt: (row.state === 'queued' && dueAt?.toISOString()) || null,
  };
}

/**
 * Takes deliveries that are due, or whose holder has died: one of each channel, few of each user. Those to receivers that are slow or
 * fail have places of their own, so that no other channel waits for them.
 * @param count so many at most
 */
export function claimDue(sql: Sql, { count, isSlow }: { count: number; isSlow: boolean }) {
  return sql<ClaimedDelivery[]>`
    with waiting as (
      select channel_id, min(due_at) as due_at from deliveries where due_at <= now() group by channel_id),
    busy as (
      select channel_id, user_id from deliveries join channels on channels.id = channel_id
      where deliveries.state = 'sending' and due_at > now()),
    ranked as (
      select channels.id, waiting.due_at,
        row_number() over (partition by user_id order by waiting.due_at, channels.id)
          + (select count(*) from busy where busy.user_id is not distinct from channels.user_id) as place
      from waiting join channels on channels.id = waiting.channel_id
      where is_slow = ${isSlow} and channels.id not in (select channel_id from busy)),
    chosen as (
      select channels.id from channels join ranked on ranked.id = channels.id
      where place <= ${atOncePerUser} order by ranked.due_at limit ${count}
      for update of channels skip locked),
    due as (
      select found.id, found.handed_over from chosen cross join lateral (
        select id, handed_over from deliveries where channel_id = chosen.id and due_at <= now()
        order by due_at, id limit 1 for update skip locked) as found)
    update deliveries set
      state = 'sending', state_at = now(), holder = gen_random_uuid(), handed_over = false, is_open = false,
      due_at = now() + ${leaseMs} * interval '1 millisecond',
      uncertain_attempts = uncertain_attempts + due.handed_over::integer
    from due, channels where deliveries.id = due.id and channels.id = deliveries.channel_id
    returning deliveries.id, message_id, channel_id, notifications, deliveries.created_at, holder, failures,
      due.handed_over as was_handed_over, user_id, kind, name, language, secret, key_id, former_secret_until`;
}

/** Stores that the receiver gets it now. @returns false when it belongs to somebody else by now */
export async function storeHandOver(
  sql: Sql,
  { id, holder }: ClaimedDelivery,
  request: string,
): Promise<boolean> {
  const { count } = await sql`
    update deliveries set handed_over = true, attempts = attempts + 1, request = ${request},
      due_at = now() + ${leaseMs} * interval '1 millisecond'
    where id = ${id} and holder = ${holder} and due_at > now()`;
  return count === 1;
}

/** Gives a delivery back that no attempt was made of. */
export async function postpone(
  sql: Sql,
  { id, holder }: ClaimedDelivery,
  { ms, isOpen }: { ms: number; isOpen: boolean },
): Promise<void> {
  await sql`
    update deliveries set state = 'queued', state_at = now(), holder = null, handed_over = false, is_open = ${isOpen},
      due_at = now() + ${ms}::integer * interval '1 millisecond'
    where id = ${id} and holder = ${holder}`;
}

interface End {
  readonly state: Exclude<DeliveryState, 'sending'>;
  readonly status: number | null;
  readonly failure: DeliveryFailure | null;
  readonly answer: string | null;
  readonly durationMs: number;
  readonly isUncertain: boolean;
  /** After a failure: it is tried again in so many ms. */
  readonly retryInMs: number | null;
}

/**
 * Gives a delivery back with what has become of it, and stores it at its channel; does nothing when it belongs to somebody else by
 * now. A channel that was paused meanwhile gets no further attempt.
 */
export async function endAttempt(
  sql: Sql,
  { id, holder, channelId }: ClaimedDelivery,
  end: End,
): Promise<void> {
  const { status, failure, answer, durationMs, isUncertain, retryInMs } = end;
  const isSuccess = end.state === 'delivered';
  const isSlow = !isSuccess || durationMs > slowMs;
  const isRetried = sql`${end.state === 'queued'} and (channels.state = 'active' or notifications = '[]')`;
  await sql`
    with ended as (
      update deliveries set
        state = case when ${isRetried} then 'queued' when ${end.state === 'queued'} then 'canceled' else ${end.state} end,
        due_at = case when ${isRetried} then now() + ${retryInMs ?? 0}::integer * interval '1 millisecond' end,
        state_at = now(), holder = null, handed_over = false, status = ${status}, failure = ${failure}, answer = ${answer},
        duration_ms = ${durationMs}, uncertain_attempts = uncertain_attempts + ${isUncertain}::boolean::integer,
        failures = failures + ${!isSuccess}::boolean::integer
      from channels where deliveries.id = ${id} and holder = ${holder} and channels.id = deliveries.channel_id
      returning deliveries.channel_id)
    update channels set last_at = now(), last_is_success = ${isSuccess}, last_status = ${status},
      last_failure = ${failure}, is_slow = ${isSlow},
      failing_since = case
        when ${isSuccess} then null
        -- It is not the receiver that has failed.
        when ${failure === 'unwritten'} then failing_since
        else coalesce(failing_since, now()) end,
      lost_in_row = case
        when ${isSuccess} then 0
        when ${end.state === 'given_up' && failure !== 'unwritten'} then lost_in_row + 1
        else lost_in_row end
    from ended where channels.id = ended.channel_id and channels.id = ${channelId}`;
}
