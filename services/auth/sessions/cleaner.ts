import type { Sql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { idleDays } from './sql.ts';

const intervalMs = 10 * 60_000;

/** Deletes ended sessions now and then; they are refused long before. */
export function startSessionCleaner(sql: Sql, lifecycle: Lifecycle): void {
  const clean = async () => {
    await sql`
      delete from sessions
      where expires_at < now() or last_used_at < now() - ${`${idleDays} days`}::interval`;
  };
  lifecycle.every(intervalMs, clean, {
    failed: 'ended sessions could not be deleted, retrying',
    delayed: true,
  });
}
