import type { Tx } from '@talpa/service-kit/database/transaction';
import { insertNotifications } from '../inbox/insert.ts';
import { cancelQueued } from './sql.ts';

/** After failures alone for so long a channel is turned off. */
const patience = '3 days';

/** Turns a channel off that is gone, or that has failed for days and has just lost a message, and notifies its user. */
export async function turnOff(tx: Tx, channelId: number, isGone: boolean): Promise<void> {
  const { sql } = tx;
  const [off] = await sql<{ userId: number; name: string; at: Date }[]>`
    update channels set state = ${isGone ? 'gone' : 'failing'}
    where id = ${channelId} and state = 'active'
      and (${isGone} or failing_since <= now() - ${patience}::interval)
    returning user_id, name, now() as at`;
  if (!off) return;
  await cancelQueued(sql, channelId);
  const kind = isGone ? 'channel_gone' : 'channel_failing';
  await insertNotifications(tx, [
    {
      userId: off.userId,
      cause: `${kind}:${channelId}:${off.at.toISOString()}`,
      content: { kind, params: { channel: off.name } },
    },
  ]);
}
