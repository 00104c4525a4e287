import { mailRetention } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';

const intervalMs = 60 * 60_000;
const batch = 1_000;

/** Forgets what has been kept long enough: now, and every hour. */
export function startRetention({ sql }: ServiceBase, lifecycle: Lifecycle): void {
  const forget = async (signal: AbortSignal) => {
    while (!signal.aborted && (await forgetOld(sql)) > 0);
  };
  lifecycle.every(intervalMs, forget, { failed: 'old emails could not be deleted, retrying' });
}

/** Forgets a batch of what is older than it may be kept. @returns how many rows it found */
export async function forgetOld(sql: Sql): Promise<number> {
  const { rows, contents } = mailRetention;
  const deleted = await sql`
    delete from mails where id in (
      select id from mails where created_at < now() - ${`${rows} days`}::interval order by created_at limit ${batch})`;
  const emptied = await sql`
    update mails set content = null where id in (
      select id from mails where content is not null and created_at < now() - ${`${contents} days`}::interval
      order by created_at limit ${batch})`;
  return deleted.count + emptied.count;
}
