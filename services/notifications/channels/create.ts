import {
  channelsOfInstallation,
  channelsPerUser,
  type InputOf,
  type Routes,
  type Verb,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { NotificationsContext, SignedInContext } from '../context.ts';
import {
  aboutChannel,
  type ChannelRow,
  channelColumns,
  type Owner,
  ofOwner,
  publicChannel,
  shownOf,
} from './sql.ts';
import { hostOf, newSecret, sealTarget, targetOf } from './target.ts';

type Given = InputOf<Routes['POST /api/admin/channels']>;

/** Creates a channel. Its secret is in the response and nowhere else. */
export const createChannel: Verb<Routes['POST /api/user/channels'], NotificationsContext> = async (
  context,
  given,
) => {
  const { row, secret } = await create(context, context.actor.userId, given);
  return { channel: publicChannel(row), secret };
};

/** The same for the installation. */
export const createInstallationChannel: Verb<
  Routes['POST /api/admin/channels'],
  NotificationsContext
> = async (context, given) => {
  const { row, secret } = await create(context, null, given);
  return { channel: shownOf(row), secret };
};

function create(context: SignedInContext, owner: Owner, given: Given) {
  const { kind, name, topics, url, topic, token, chat } = given;
  const { userId } = context.actor;
  const target = targetOf(kind, { url, topic, token, chat });
  const secret = kind === 'webhook' ? newSecret() : null;
  const limit = owner === null ? channelsOfInstallation : channelsPerUser;
  return context.transaction(async (tx) => {
    const { sql } = tx;
    await sql`select lock_transaction(${`channels ${owner ?? 'of the installation'}`})`;
    const [known] = await sql<{ count: number; isGone: boolean }[]>`
      select (select count(*) from channels where ${ofOwner(sql, owner)}) as count,
        exists (select 1 from users where user_id = ${userId} and username is null) as is_gone`;
    if (known?.isGone) throw new AppError('not_signed_in');
    if ((known?.count ?? 0) >= limit) throw new AppError('channel_limit', { params: { limit } });
    // The secret is bound to the row, so the row's id comes first.
    const [{ id }] = await sql<[{ id: number }]>`
      select nextval(pg_get_serial_sequence('channels', 'id')) as id`;
    const sealed = sealTarget(context.channelKeys, id, { ...target, ...(secret === null ? {} : { secret }) });
    const [row] = await sql<[ChannelRow]>`
      insert into channels (id, user_id, kind, name, host, topics, language, secret, key_id)
      values (${id}, ${owner}, ${kind}, ${name}, ${hostOf(kind, target)}, ${topics}, ${context.language},
        ${sealed.secret}, ${sealed.keyId})
      returning ${channelColumns(sql)}`;
    await tx.audit(aboutChannel(owner, id, name, userId));
    tx.invalidate(userId);
    return { row, secret };
  });
}
