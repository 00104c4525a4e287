import type { Channel, ChannelKind, ChannelState, DeliveryFailure, Language } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';

export interface ChannelRow extends Omit<Channel, 'createdAt' | 'formerSecretUntil' | 'last'> {
  readonly id: number;
  readonly userId: number;
  readonly kind: ChannelKind;
  readonly state: ChannelState;
  readonly language: Language;
  readonly secret: Buffer;
  readonly keyId: string;
  readonly createdAt: Date;
  readonly formerSecretUntil: Date | null;
  readonly lastAt: Date | null;
  readonly lastIsSuccess: boolean | null;
  readonly lastStatus: number | null;
  readonly lastFailure: DeliveryFailure | null;
}

export const channelColumns = (sql: AnySql) => sql`
  channels.id, user_id, kind, name, host, topics, language, secret, key_id, former_secret_until, channels.state,
    channels.created_at, last_at, last_is_success, last_status, last_failure`;

/** A channel as its user sees it: nothing of it is secret. */
export function publicChannel(row: ChannelRow): Channel {
  const { id, kind, name, host, topics, state, formerSecretUntil, lastAt, lastIsSuccess } = row;
  const isFormerValid = formerSecretUntil !== null && formerSecretUntil > new Date();
  return {
    ...{ id, kind, name, host, topics, state },
    createdAt: row.createdAt.toISOString(),
    formerSecretUntil: isFormerValid ? formerSecretUntil.toISOString() : null,
    last: lastAt && {
      at: lastAt.toISOString(),
      isSuccess: lastIsSuccess ?? false,
      status: row.lastStatus,
      failure: row.lastFailure,
    },
  };
}

/** A user's own channel, for the caller alone. @throws AppError `not_found` */
export async function lockChannel(sql: AnySql, id: number, userId: number): Promise<ChannelRow> {
  const [row] = await sql<ChannelRow[]>`
    select ${channelColumns(sql)} from channels where id = ${id} and user_id = ${userId} for update`;
  if (!row) throw new AppError('not_found');
  return row;
}

/** What a channel that gets nothing any more was still to send is not sent later either. */
export async function cancelQueued(sql: AnySql, channelId: number): Promise<void> {
  await sql`
    update deliveries set state = 'canceled', state_at = now(), due_at = null
    where channel_id = ${channelId} and state = 'queued'`;
}
