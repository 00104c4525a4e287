import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import type { ProxiesSettings } from '../settings.ts';
import { type CheckContext, checkRecords } from './check.ts';

const batch = 10;
/** A process that dies in a check leaves it to the next one after that. */
const lease = '2 minutes';

/** Checks the domains that are due. @returns how many */
export async function checkDue(context: CheckContext, now = new Date()): Promise<number> {
  const rows = await context.sql<{ id: number }[]>`
    update domains set check_at = ${now}::timestamptz + ${lease}::interval where id in (
      select id from domains where check_at <= ${now} and removed_at is null
      order by check_at limit ${batch} for update skip locked)
    returning id`;
  await Promise.all(rows.map(({ id }) => checkRecords(context, id, { now })));
  return rows.length;
}

/** Checks custom domains when they are due. */
export function startDomainChecks(base: ServiceBase, settings: ProxiesSettings, lifecycle: Lifecycle): void {
  const { sql, transaction } = base;
  const work = async () => {
    while ((await checkDue({ sql, transaction, settings })) === batch);
  };
  lifecycle.every(settings.DOMAIN_CHECK_INTERVAL_MS, work, {
    failed: 'custom domains could not be checked, retrying',
    delayed: true,
  });
}
