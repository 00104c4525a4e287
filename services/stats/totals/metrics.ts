import type { Sql } from '@talpa/service-kit/database/sql';
import { gauge, readOnScrape } from '@talpa/service-kit/telemetry/metrics';
import { readTotals } from './get.ts';

const users = gauge('talpa_users', 'Users');
const proxies = gauge('talpa_proxies', 'Proxies that are not deleted');
const active = gauge('talpa_proxies_active', 'Proxies with a connector');

/** Serves the totals as metrics; left out while they are unknown. */
export function measureTotals(sql: Sql): void {
  readOnScrape('totals', [users, proxies, active], async () => {
    const totals = await readTotals(sql);
    users.set(totals.totalUsers);
    proxies.set(totals.totalProxies);
    active.set(totals.activeProxies);
  });
}
