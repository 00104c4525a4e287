import type { Verbs } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase, ServiceContext } from '@talpa/service-kit/process/service';
import { listAudit } from './audit/list.ts';
import { listOwnAudit } from './audit/list-own.ts';
import { readParked, receiveAudit } from './audit/receive.ts';
import { startRetention } from './audit/retention.ts';
import { countEvents } from './totals/count.ts';
import { getTotals } from './totals/get.ts';

/** What every verb of stats gets. */
export type StatsContext = ServiceContext;

const verbs: Verbs<'stats', StatsContext> = { getTotals, listAudit, listOwnAudit };

/** Read models built from events. */
export async function wire(base: ServiceBase, _settings: object, lifecycle: Lifecycle) {
  countEvents(base, lifecycle);
  await readParked(base);
  receiveAudit(base, lifecycle);
  startRetention(base, lifecycle);
  return { added: {}, verbs };
}
