import type { Routes, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';
import { type ChannelRow, channelColumns, type Owner, ofOwner, publicChannel, shownOf } from './sql.ts';

/** The caller's channels, the oldest first. */
export const listChannels: Verb<Routes['GET /api/user/channels'], NotificationsContext> = async (context) =>
  (await read(context, context.actor.userId)).map(publicChannel);

/** Those of the installation. */
export const listInstallationChannels: Verb<Routes['GET /api/admin/channels'], NotificationsContext> = async (
  context,
) => (await read(context, null)).map(shownOf);

const read = ({ reads }: NotificationsContext, owner: Owner) => reads<ChannelRow[]>`
  select ${channelColumns(reads)} from channels where ${ofOwner(reads, owner)} order by id`;
