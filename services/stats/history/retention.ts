import { measuredRetention } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';

const intervalMs = 60 * 60_000;

/** Forgets what has been kept long enough: now, and every hour. */
export function forgetOldHistory({ sql }: ServiceBase, lifecycle: Lifecycle): void {
  lifecycle.every(intervalMs, () => forgetHistory(sql), {
    failed: 'old history could not be deleted, retrying',
  });
}

/**
 * The last state before the time that is kept stays: it is what the proxy was when that time began. So does the first
 * connection: it distinguishes downtime from the time before a connector was installed.
 */
export async function forgetHistory(sql: AnySql, now = new Date()): Promise<void> {
  const { traffic, uptime } = measuredRetention;
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000);
  await sql`delete from traffic where quarter < ${before(traffic)}`;
  await sql`
    delete from states where at < ${before(uptime)} and (
      state = 'gone' or exists (
        select 1 from states later where later.proxy_id = states.proxy_id
          and later.version > states.version and later.at <= ${before(uptime)}))
      and not (
        state = 'up'
        and not exists (
          select 1 from states earlier where earlier.proxy_id = states.proxy_id
            and earlier.version < states.version and earlier.state = 'up')
        and not exists (
          select 1 from states gone where gone.proxy_id = states.proxy_id
            and gone.state = 'gone' and gone.at < ${before(uptime)}))`;
  await sql`
    delete from owners where not exists (select 1 from states where states.proxy_id = owners.proxy_id)`;
  await sql`
    delete from tunnels where not exists (select 1 from states where states.proxy_id = tunnels.proxy_id)`;
  await sql`
    delete from origins where greatest(last_response_at, last_unreachable_at) < ${before(uptime)}`;
}
