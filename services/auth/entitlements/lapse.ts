import type { Sql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';

const intervalMs = 5_000;

/**
 * Stores of the users whose plan has run out that they are on the free one now. For the filter of the list
 * alone: what a user may do is computed when it is asked.
 */
export function startLapsing(sql: Sql, lifecycle: Lifecycle): void {
  lifecycle.every(intervalMs, () => storeLapsed(sql), {
    failed: 'expired plans could not be recorded, retrying',
  });
}

/** Stores what has run out since the last look. */
async function storeLapsed(sql: Sql): Promise<void> {
  await sql`
    with lapsing as (
      update entitlements set lapsed = true where expires_at <= now() and not lapsed returning user_id)
    update users set current_tier = 'free' from lapsing where users.id = lapsing.user_id`;
}
