import { formerSecretHours, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { NotificationsContext, SignedInContext } from '../context.ts';
import {
  aboutChannel,
  type ChannelRow,
  channelColumns,
  lockChannel,
  type Owner,
  publicChannel,
  shownOf,
} from './sql.ts';
import { newSecret, sealTarget, unsealTarget } from './target.ts';

/** Gives a webhook a new secret. For a day messages have a second signature, by the former one. */
export const replaceChannelSecret: Verb<
  Routes['POST /api/user/channels/:id/secret'],
  NotificationsContext
> = async (context, { id }) => {
  const { row, secret } = await replace(context, id, context.actor.userId);
  return { channel: publicChannel(row), secret };
};

/** The same for the installation. */
export const replaceInstallationChannelSecret: Verb<
  Routes['POST /api/admin/channels/:id/secret'],
  NotificationsContext
> = async (context, { id }) => {
  const { row, secret } = await replace(context, id, null);
  return { channel: shownOf(row), secret };
};

function replace(context: SignedInContext, id: number, owner: Owner) {
  const { userId } = context.actor;
  return context.transaction(async (tx) => {
    const { sql } = tx;
    const before = await lockChannel(sql, id, owner);
    const { secret: former, ...target } = unsealTarget(context.channelKeys, id, before);
    if (former === undefined) throw new AppError('channel_without_secret');
    const secret = newSecret();
    const sealed = sealTarget(context.channelKeys, id, { ...target, secret, formerSecret: former });
    const [row] = await sql<[ChannelRow]>`
      update channels set secret = ${sealed.secret}, key_id = ${sealed.keyId},
        former_secret_until = now() + ${formerSecretHours} * interval '1 hour'
      where id = ${id} returning ${channelColumns(sql)}`;
    await tx.audit(aboutChannel(owner, id, row.name, userId));
    tx.invalidate(userId);
    return { row, secret };
  });
}
