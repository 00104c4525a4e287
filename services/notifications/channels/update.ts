import type { InputOf, Routes, Verb } from '@talpa/contracts';
import { changesBetween } from '@talpa/service-kit/database/changes';
import type { NotificationsContext, SignedInContext } from '../context.ts';
import {
  aboutChannel,
  type ChannelRow,
  cancelQueued,
  channelColumns,
  lockChannel,
  type Owner,
  publicChannel,
  shownOf,
} from './sql.ts';
import { type GivenTarget, hostOf, sealTarget, targetOf, unsealTarget } from './target.ts';

type Given = InputOf<Routes['PUT /api/admin/channels/:id']>;

/** Changes a channel. It speaks the language of its last change. */
export const updateChannel: Verb<Routes['PUT /api/user/channels/:id'], NotificationsContext> = async (
  context,
  given,
) => publicChannel(await update(context, context.actor.userId, given));

/** The same for the installation. */
export const updateInstallationChannel: Verb<
  Routes['PUT /api/admin/channels/:id'],
  NotificationsContext
> = async (context, given) => shownOf(await update(context, null, given));

function update(
  context: SignedInContext,
  owner: Owner,
  { id, name, topics, isPaused, url, topic, token, chat }: Given,
): Promise<ChannelRow> {
  const given: GivenTarget = {
    ...(url === undefined ? {} : { url }),
    ...(topic === undefined ? {} : { topic }),
    ...(token === undefined ? {} : { token }),
    ...(chat === undefined ? {} : { chat }),
  };
  const isMoved = Object.keys(given).length > 0;
  return context.transaction(async (tx) => {
    const { sql } = tx;
    const before = await lockChannel(sql, id, owner);
    if (isMoved) {
      const { token: formerToken, ...stored } = unsealTarget(context.channelKeys, id, before);
      // A token is for one server: who moves a channel to another one does not get it there.
      const kept = url === undefined && formerToken !== undefined ? { token: formerToken } : {};
      const target = targetOf(before.kind, { ...stored, ...kept, ...given });
      const sealed = sealTarget(context.channelKeys, id, { ...stored, ...target });
      await sql`
        update channels set secret = ${sealed.secret}, key_id = ${sealed.keyId},
          host = ${hostOf(before.kind, target)}, failing_since = null, lost_in_row = 0, is_slow = false
        where id = ${id}`;
    }
    const state =
      isPaused === undefined || isPaused === (before.state !== 'active')
        ? before.state
        : isPaused
          ? 'paused'
          : 'active';
    const isBack = state !== before.state && state === 'active';
    const [row] = await sql<[ChannelRow]>`
      update channels set name = ${name ?? before.name}, topics = ${topics ?? before.topics}, state = ${state},
        language = ${context.language},
        failing_since = case when ${isBack} then null else failing_since end,
        lost_in_row = case when ${isBack} then 0 else lost_in_row end
      where id = ${id} returning ${channelColumns(sql)}`;
    if (state !== 'active') await cancelQueued(sql, id);
    const shown = (channel: ChannelRow) => ({
      name: channel.name,
      topics: channel.topics.join(', '),
      state: channel.state,
    });
    await tx.audit({
      ...aboutChannel(owner, id, row.name, context.actor.userId),
      changes: { ...changesBetween(shown(before), shown(row)), ...(isMoved ? { address: {} } : {}) },
    });
    tx.invalidate(context.actor.userId);
    return row;
  });
}
