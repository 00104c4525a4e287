import type { Verbs } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase, ServiceContext } from '@talpa/service-kit/process/service';
import { changePlan } from './subscriptions/change-plan.ts';
import { closeWithUsers } from './subscriptions/close.ts';
import { exportUser } from './subscriptions/export.ts';
import { getSubscription } from './subscriptions/get.ts';
import { obeyAdministrators } from './subscriptions/set.ts';

/** What every verb of billing gets. */
export type BillingContext = ServiceContext;

const verbs: Verbs<'billing', BillingContext> = { getSubscription, changePlan, exportUser };

/** Plans and what they entitle to. */
export async function wire(base: ServiceBase, _settings: object, lifecycle: Lifecycle) {
  obeyAdministrators(base, lifecycle);
  closeWithUsers(base, lifecycle);
  return { added: {}, verbs };
}
