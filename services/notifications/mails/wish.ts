import type { QuietHours } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';

/** Whether somebody still wants emails with notifications, and when not. */
export async function emailWishOf(
  sql: AnySql,
  userId: number,
): Promise<{ readonly wantsEmail: boolean; readonly quietHours: QuietHours | null }> {
  const [user] = await sql<{ wantsEmail: boolean; quietHours: QuietHours | null }[]>`
    select wants_email, quiet_hours from users where user_id = ${userId}`;
  return user ?? { wantsEmail: false, quietHours: null };
}
