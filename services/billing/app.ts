import type { Verbs } from '@talpa/contracts';
import { republishToNewStreams } from '@talpa/service-kit/events/stream-seen';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import type { BillingContext } from './context.ts';
import type { BillingSettings } from './settings.ts';
import { changePlan } from './subscriptions/change-plan.ts';
import { closeWithUsers } from './subscriptions/close.ts';
import { exportUser } from './subscriptions/export.ts';
import { getSubscription } from './subscriptions/get.ts';
import { readSubscription } from './subscriptions/read.ts';
import { owned, republish, republishRow } from './subscriptions/republish.ts';
import { obeyAdministrators } from './subscriptions/set.ts';

const verbs: Verbs<'billing', BillingContext> = {
  getSubscription,
  readSubscription,
  changePlan,
  exportUser,
  republish,
  republishRow,
};

/** Plans and what they entitle to. */
export async function wire(base: ServiceBase, settings: BillingSettings, lifecycle: Lifecycle) {
  obeyAdministrators(base, lifecycle);
  closeWithUsers(base, lifecycle);
  republishToNewStreams(base, owned, settings.STREAM_WATCH_MS, lifecycle);
  return { added: { settings }, verbs };
}
