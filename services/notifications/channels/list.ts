import type { Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';
import { type ChannelRow, channelColumns, publicChannel } from './sql.ts';

/** The caller's channels, the oldest first. */
export const listChannels: Verb<Routes['GET /api/user/channels'], NotificationsContext> = async ({
  reads,
  actor,
}) => {
  const rows = await reads<ChannelRow[]>`
    select ${channelColumns(reads)} from channels where user_id = ${actor.userId} order by id`;
  return rows.map(publicChannel);
};
