import type { Verbs } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase, ServiceContext } from '@talpa/service-kit/process/service';
import { countEvents } from './totals/count.ts';
import { getTotals } from './totals/get.ts';

/** What every verb of stats gets. */
export type StatsContext = ServiceContext;

const verbs: Verbs<'stats', StatsContext> = { getTotals };

/** Read models built from events. */
export async function wire(base: ServiceBase, _settings: object, lifecycle: Lifecycle) {
  countEvents(base, lifecycle);
  return { added: {}, verbs };
}
