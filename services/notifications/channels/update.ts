import type { Routes, Verb } from '@talpa/contracts';
import { changesBetween } from '@talpa/service-kit/database/changes';
import type { NotificationsContext } from '../context.ts';
import { type ChannelRow, cancelQueued, channelColumns, lockChannel, publicChannel } from './sql.ts';
import { type GivenTarget, hostOf, sealTarget, targetOf, unsealTarget } from './target.ts';

/** Changes a channel. It speaks the language of its last change. */
export const updateChannel: Verb<Routes['PUT /api/user/channels/:id'], NotificationsContext> = (
  context,
  { id, name, topics, isPaused, url, topic, token, chat },
) => {
  const { userId } = context.actor;
  const given: GivenTarget = {
    ...(url === undefined ? {} : { url }),
    ...(topic === undefined ? {} : { topic }),
    ...(token === undefined ? {} : { token }),
    ...(chat === undefined ? {} : { chat }),
  };
  const isMoved = Object.keys(given).length > 0;
  return context.transaction(async (tx) => {
    const { sql } = tx;
    const before = await lockChannel(sql, id, userId);
    if (isMoved) {
      const { token: formerToken, ...stored } = unsealTarget(context.channelKeys, id, before);
      // A token is for one server: who moves a channel to another one does not get it there.
      const kept = url === undefined && formerToken !== undefined ? { token: formerToken } : {};
      const target = targetOf(before.kind, { ...stored, ...kept, ...given });
      const sealed = sealTarget(context.channelKeys, id, { ...stored, ...target });
      await sql`
        update channels set secret = ${sealed.secret}, key_id = ${sealed.keyId},
          host = ${hostOf(before.kind, target)}, failing_since = null, is_slow = false
        where id = ${id}`;
    }
    const state =
      isPaused === undefined || isPaused === (before.state !== 'active')
        ? before.state
        : isPaused
          ? 'paused'
          : 'active';
    const [row] = await sql<[ChannelRow]>`
      update channels set name = ${name ?? before.name}, topics = ${topics ?? before.topics}, state = ${state},
        language = ${context.language},
        failing_since = case when ${state !== before.state && state === 'active'} then null else failing_since end
      where id = ${id} returning ${channelColumns(sql)}`;
    if (state !== 'active') await cancelQueued(sql, id);
    const shown = (channel: ChannelRow) => ({
      name: channel.name,
      topics: channel.topics.join(', '),
      state: channel.state,
    });
    await tx.audit({
      target: { kind: 'channel', id, label: row.name },
      subjectUserId: userId,
      changes: { ...changesBetween(shown(before), shown(row)), ...(isMoved ? { address: {} } : {}) },
    });
    tx.invalidate(userId);
    return publicChannel(row);
  });
};
