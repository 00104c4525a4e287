import {
  announcementRetention,
  deliveryRetention,
  mailRetention,
  notificationRetention,
} from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';

const intervalMs = 60 * 60_000;
const batch = 1_000;
/** An outage that has lasted for so many days is not notified of any more. */
const originRetention = 90;

/** Forgets what has been kept long enough: now, and every hour. */
export function startRetention({ transaction }: ServiceBase, lifecycle: Lifecycle): void {
  const forget = async (signal: AbortSignal) => {
    while (!signal.aborted && (await transaction(forgetOld)) > 0);
  };
  lifecycle.every(intervalMs, forget, {
    failed: 'old emails and notifications could not be deleted, retrying',
  });
}

/** Forgets a batch of what is older than it may be kept. @returns how many rows it found */
export async function forgetOld({ sql, invalidate }: Tx): Promise<number> {
  const { rows, contents } = mailRetention;
  const deleted = await sql`
    delete from mails where id in (
      select id from mails where created_at < now() - ${`${rows} days`}::interval order by created_at limit ${batch})`;
  const emptied = await sql`
    update mails set content = null where id in (
      select id from mails where content is not null and created_at < now() - ${`${contents} days`}::interval
      order by created_at limit ${batch})`;
  const affected = await sql<{ userId: number }[]>`
    delete from inbox where id in (
      select id from inbox where created_at < now() - ${`${notificationRetention} days`}::interval
      order by created_at limit ${batch})
    returning user_id`;
  const announced = await sql`
    delete from announcements where id in (
      select id from announcements where ends_at < now() - ${`${announcementRetention} days`}::interval
      order by ends_at limit ${batch})`;
  const sent = await sql`
    delete from deliveries where id in (
      select id from deliveries where created_at < now() - ${`${deliveryRetention} days`}::interval
      order by created_at limit ${batch})`;
  const forgotten = await sql`
    delete from origins where tunnel_id in (
      select tunnel_id from origins where heard_at < now() - ${`${originRetention} days`}::interval limit ${batch})`;
  // Longer than any of the limits counts.
  const counted = await sql`
    delete from recipients where cause in (
      select cause from recipients where at < now() - interval '2 days' limit ${batch})`;
  invalidate(...affected.map(({ userId }) => userId));
  return (
    deleted.count +
    emptied.count +
    affected.length +
    announced.count +
    sent.count +
    forgotten.count +
    counted.count
  );
}
