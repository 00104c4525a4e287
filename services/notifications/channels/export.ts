import { type ExportedDelivery, exportBytes, type InternalCalls, type Verb } from '@talpa/contracts';
import { fitting } from '@talpa/service-kit/database/page';
import type { NotificationsContext } from '../context.ts';
import { type ChannelRow, channelColumns, publicChannel } from './sql.ts';

const exportedAtOnce = 500;

/** A user's channels without their secrets, and what was sent to them. */
export const exportChannels: Verb<
  InternalCalls['notifications.exportChannels'],
  NotificationsContext
> = async ({ sql }, { userId, after }) => {
  const channels = await sql<ChannelRow[]>`
    select ${channelColumns(sql)} from channels where user_id = ${userId} order by id`;
  const rows = await sql<
    (Pick<ExportedDelivery, 'channelId' | 'notifications' | 'state' | 'attempts'> & {
      id: number;
      createdAt: Date;
      stateAt: Date;
    })[]
  >`
    select deliveries.id, channel_id, notifications, deliveries.state, attempts, deliveries.created_at, state_at
    from deliveries join channels on channels.id = channel_id
    where user_id = ${userId} and deliveries.id > ${after ?? 0}
    order by deliveries.id limit ${exportedAtOnce + 1}`;
  const exported = ({
    channelId,
    notifications,
    state,
    attempts,
    createdAt,
    stateAt,
  }: (typeof rows)[number]) => ({
    channelId,
    notifications,
    state,
    attempts,
    createdAt: createdAt.toISOString(),
    stateAt: stateAt.toISOString(),
  });
  const deliveries = fitting(rows.slice(0, exportedAtOnce), exported, exportBytes.deliveries);
  return {
    channels: channels.map(publicChannel),
    deliveries,
    next: deliveries.length < rows.length ? (rows[deliveries.length - 1]?.id ?? null) : null,
  };
};
