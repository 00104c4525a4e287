import type { ServiceContext } from '@talpa/service-kit/process/service';

/** What every verb of billing gets. */
export type BillingContext = ServiceContext;
