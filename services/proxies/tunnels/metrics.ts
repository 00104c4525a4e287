import type { Sql } from '@talpa/service-kit/database/sql';
import { gauge, readOnScrape } from '@talpa/service-kit/telemetry/metrics';

const countedUpTo = 10_000;
const unsettled = gauge(
  'talpa_proxies_unsettled',
  'Proxies whose desired state the provider does not have yet, counted up to 10 000',
);

/** Counts the proxies whose desired state has not been reached; an index holds these alone. */
export function measureLag(sql: Sql): void {
  readOnScrape('proxies', [unsettled], async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*) from (select 1 from proxies where generation > applied_generation limit ${countedUpTo}) lagging`;
    unsettled.set(row?.count ?? 0);
  });
}
