import { plans, requestLogDays } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';

const intervalMs = 15 * 60_000;

/** Forgets requests that have been kept long enough: now, and every quarter of an hour. */
export function forgetOldRequests({ sql }: ServiceBase, most: number, lifecycle: Lifecycle): void {
  lifecycle.every(intervalMs, () => forgetRequests(sql, most), {
    failed: 'old requests could not be deleted, retrying',
  });
}

/** @param most the operator's limit of days */
export async function forgetRequests(sql: AnySql, most: number, now = new Date()): Promise<void> {
  const days = plans.map(({ id }) => ({ tier: id, days: requestLogDays(id, most) }));
  const kept = sql`
    (select request_logs.proxy_id, case
      when plans.tier is null or plans.expires_at <= ${now} then ${requestLogDays(null, most)}::integer
      else tiers.days end as days
    from request_logs left join owners using (proxy_id) left join plans using (user_id)
      left join jsonb_to_recordset(${sql.json(days)}) as tiers (tier text, days integer) on tiers.tier = plans.tier) kept`;
  await sql`
    with gone as (
      delete from requests using ${kept}
      where requests.proxy_id = kept.proxy_id and at < ${now}::timestamptz - make_interval(days => kept.days)
      returning requests.proxy_id),
    counts as (select proxy_id, count(*)::integer as count from gone group by proxy_id)
    update request_logs set stored = greatest(stored - count, 0) from counts
    where request_logs.proxy_id = counts.proxy_id`;
  await sql`
    delete from missed_requests using ${kept}
    where missed_requests.proxy_id = kept.proxy_id
      and hour < ${now}::timestamptz - make_interval(days => kept.days)`;
  // With the last that is known of their proxies.
  await sql`
    delete from request_logs where mode = 'off' and stored = 0
      and not exists (select 1 from owners where owners.proxy_id = request_logs.proxy_id)`;
}
