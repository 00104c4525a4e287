import type { Sql } from '@talpa/service-kit/database/sql';
import { counter, gauge, readOnScrape } from '@talpa/service-kit/telemetry/metrics';

/** How attempts have ended; `given_up`: it was the last, `gone`: there is no such receiver any more. */
export const attempted = counter(
  'talpa_delivery_attempts_total',
  'Attempts to deliver to channels, by their result',
  ['result'],
);
export const uncertain = counter(
  'talpa_delivery_uncertain_attempts_total',
  'Attempts whose answer was lost: each may have delivered a message that is sent again',
);
const overdue = gauge('talpa_delivery_overdue', 'Deliveries that are due and not yet being sent');
const lag = gauge('talpa_delivery_lag_seconds', 'For how long the oldest of them has been due');
const disabled = gauge('talpa_channels_off', 'Channels that were turned off because they failed or are gone');

/** Counts what should have been sent, and channels that get nothing any more. */
export function measureDeliveries(sql: Sql): void {
  for (const result of ['delivered', 'failed', 'gone', 'given_up']) attempted.labels(result).inc(0);
  uncertain.inc(0);
  readOnScrape('deliveries', [overdue, lag, disabled], async () => {
    const [waiting] = await sql<{ count: number; seconds: number }[]>`
      select count(*), coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0)::float8 as seconds
      from deliveries where due_at <= now()`;
    const [off] = await sql<{ count: number }[]>`
      select count(*) from channels where state in ('gone', 'failing')`;
    overdue.set(waiting?.count ?? 0);
    lag.set(waiting?.seconds ?? 0);
    disabled.set(off?.count ?? 0);
  });
}
