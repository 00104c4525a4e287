import type { Verbs } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase, ServiceContext } from '@talpa/service-kit/process/service';
import type { SettingName, Settings } from '@talpa/service-kit/settings';
import { listAudit } from './audit/list.ts';
import { exportUser, listOwnAudit } from './audit/list-own.ts';
import { readParked, receiveAudit } from './audit/receive.ts';
import { startRetention } from './audit/retention.ts';
import { countEvents } from './totals/count.ts';
import { getTotals } from './totals/get.ts';
import { keepTotalsKnown, rebuild } from './totals/rebuild.ts';

/** What every verb of stats gets. */
export type StatsContext = ServiceContext;

export const ownSettings = ['STREAM_WATCH_MS'] as const satisfies readonly SettingName[];

const verbs: Verbs<'stats', StatsContext> = { getTotals, listAudit, listOwnAudit, exportUser, rebuild };

/** Read models built from events. */
export async function wire(
  base: ServiceBase,
  settings: Settings<(typeof ownSettings)[number]>,
  lifecycle: Lifecycle,
) {
  countEvents(base, lifecycle);
  keepTotalsKnown(base, settings.STREAM_WATCH_MS, lifecycle);
  await readParked(base);
  receiveAudit(base, lifecycle);
  startRetention(base, lifecycle);
  return { added: {}, verbs };
}
