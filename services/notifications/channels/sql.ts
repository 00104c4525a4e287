import type {
  Channel,
  ChannelKind,
  ChannelState,
  DeliveryFailure,
  InstallationChannel,
  InstallationTopic,
  Language,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';

/** Whose a channel is; null: the installation's, which all administrators share. */
export type Owner = number | null;

export interface ChannelRow extends Omit<Channel, 'createdAt' | 'formerSecretUntil' | 'last' | 'topics'> {
  readonly id: number;
  readonly userId: Owner;
  readonly topics: InstallationTopic[];
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

/** A user's channel as they see it. */
export const publicChannel = (row: ChannelRow): Channel => shownOf(row) as Channel;

/** A channel as administrators, or its user, see it: nothing of it is secret. */
export function shownOf(row: ChannelRow): InstallationChannel {
  const { id, kind, name, host, topics, state, formerSecretUntil, lastAt, lastIsSuccess } = row;
  const isFormerValid = formerSecretUntil !== null && formerSecretUntil > new Date();
  return {
    id,
    kind,
    name,
    host,
    topics,
    state,
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

/** The channels of an owner. */
export const ofOwner = (sql: AnySql, owner: Owner) =>
  owner === null ? sql`channels.user_id is null` : sql`channels.user_id = ${owner}`;

/** An owner's channel, for the caller alone. @throws AppError `not_found` */
export async function lockChannel(sql: AnySql, id: number, owner: Owner): Promise<ChannelRow> {
  const [row] = await sql<ChannelRow[]>`
    select ${channelColumns(sql)} from channels where id = ${id} and ${ofOwner(sql, owner)} for update`;
  if (!row) throw new AppError('not_found');
  return row;
}

/** What the audit trail says of a channel. One of the installation concerns the administrator alone who changes it. */
export const aboutChannel = (owner: Owner, id: number, label: string, by: number) => ({
  target: { kind: owner === null ? 'installationChannel' : 'channel', id, label } as const,
  subjectUserId: owner ?? by,
});

/** What a channel that gets nothing any more was still to send is not sent later either. */
export async function cancelQueued(sql: AnySql, channelId: number): Promise<void> {
  await sql`
    update deliveries set state = 'canceled', state_at = now(), due_at = null
    where channel_id = ${channelId} and state = 'queued'`;
}
