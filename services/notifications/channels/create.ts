import { channelsPerUser, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { NotificationsContext } from '../context.ts';
import { type ChannelRow, channelColumns, publicChannel } from './sql.ts';
import { hostOf, newSecret, sealTarget, targetOf } from './target.ts';

/** Creates a channel. Its secret is in the response and nowhere else. */
export const createChannel: Verb<Routes['POST /api/user/channels'], NotificationsContext> = (
  context,
  { kind, name, topics, url, topic, token, chat },
) => {
  const { userId } = context.actor;
  const given = targetOf(kind, { url, topic, token, chat });
  const secret = kind === 'webhook' ? newSecret() : null;
  return context.transaction(async (tx) => {
    const { sql } = tx;
    await sql`select lock_transaction(${`channels ${userId}`})`;
    const [known] = await sql<{ count: number; isGone: boolean }[]>`
      select (select count(*) from channels where user_id = ${userId}) as count,
        exists (select 1 from people where user_id = ${userId} and username is null) as is_gone`;
    if (known?.isGone) throw new AppError('not_signed_in');
    if ((known?.count ?? 0) >= channelsPerUser)
      throw new AppError('channel_limit', { params: { limit: channelsPerUser } });
    // The secret is bound to the row, so the row's id comes first.
    const [{ id }] = await sql<[{ id: number }]>`
      select nextval(pg_get_serial_sequence('channels', 'id')) as id`;
    const sealed = sealTarget(context.channelKeys, id, { ...given, ...(secret === null ? {} : { secret }) });
    const [row] = await sql<[ChannelRow]>`
      insert into channels (id, user_id, kind, name, host, topics, language, secret, key_id)
      values (${id}, ${userId}, ${kind}, ${name}, ${hostOf(kind, given)}, ${topics}, ${context.language},
        ${sealed.secret}, ${sealed.keyId})
      returning ${channelColumns(sql)}`;
    await tx.audit({ target: { kind: 'channel', id, label: name }, subjectUserId: userId });
    tx.invalidate(userId);
    return { channel: publicChannel(row), secret };
  });
};
