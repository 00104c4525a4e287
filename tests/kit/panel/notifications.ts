import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Talpa } from '../../../launcher/system.ts';
import type { Client } from '../client.ts';
import { notificationSamples } from '../notifications.ts';

/** The user who has a notification of every kind. */
export const notificationReader = 'full';

/** Puts a notification of each kind into somebody's inbox: every second one is read. */
export async function settleNotifications(talpa: Talpa, reader: Client): Promise<void> {
  const { id } = await reader.call('GET /api/user', {});
  const sql = openDatabase(talpa.stores.adminUrl, 1);
  const samples = Object.values(notificationSamples);
  const rows = samples.map(({ kind, params }, at) => ({
    ...{ cause: `sample ${kind}`, kind, params: sql.json(params) },
    user_id: id,
    created_at: new Date(Date.now() - (samples.length - at) ** 4 * 60_000),
    read_at: at % 2 === 0 ? new Date() : null,
  }));
  await sql`insert into notifications.inbox ${sql(rows)}`;
  await sql.end();
}
