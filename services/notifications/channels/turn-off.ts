import type { Tx } from '@talpa/service-kit/database/transaction';
import { notifyAdministrators } from '../inbox/administrators.ts';
import { insertNotifications } from '../inbox/insert.ts';
import { cancelQueued, type Owner } from './sql.ts';

/** After failures alone for so long, with at least so many messages lost, a channel is turned off. */
const patience = '3 days';
const fewestLost = 3;

/** Turns a channel off that is gone, or that has lost message after message for days, and notifies those whose it is. */
export async function turnOff(tx: Tx, channelId: number, isGone: boolean): Promise<void> {
  const { sql } = tx;
  const [off] = await sql<{ userId: Owner; name: string }[]>`
    update channels set state = ${isGone ? 'gone' : 'failing'}
    where id = ${channelId} and state = 'active'
      and (${isGone} or (failing_since <= now() - ${patience}::interval and lost_in_row >= ${fewestLost}))
    returning user_id, name`;
  if (!off) return;
  await cancelQueued(sql, channelId);
  const params = { channel: off.name };
  if (off.userId === null) {
    const kind = isGone ? 'installation_channel_gone' : 'installation_channel_failing';
    return notifyAdministrators(tx, { kind, params });
  }
  const kind = isGone ? 'channel_gone' : 'channel_failing';
  await insertNotifications(tx, [{ userId: off.userId, content: { kind, params } }]);
}
