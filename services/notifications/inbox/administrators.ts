import type { NotificationContent } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { insertNotifications } from './insert.ts';
import { orderInstallationDeliveries } from './order-deliveries.ts';

/** Who administrates the installation now. */
export async function administratorsOf(sql: AnySql): Promise<number[]> {
  const rows = await sql<{ userId: number }[]>`
    select user_id from users where is_admin and username is not null order by user_id`;
  return rows.map(({ userId }) => userId);
}

/** Notifies every administrator, and each channel of the installation once. */
export async function notifyAdministrators(tx: Tx, content: NotificationContent): Promise<void> {
  const userIds = await administratorsOf(tx.sql);
  await insertNotifications(
    tx,
    userIds.map((userId) => ({ userId, content })),
  );
  await orderInstallationDeliveries(tx, [{ userId: null, content }]);
}
