import type { ServiceContext } from '@talpa/service-kit/service/service';

/** What every verb of billing gets. */
export type BillingContext = ServiceContext;
