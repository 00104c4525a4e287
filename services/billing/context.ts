import type { ServiceContext } from '@talpa/service-kit/service/service';
import type { BillingSettings } from './settings.ts';

/** What every verb of billing gets. */
export type BillingContext = ServiceContext<{ readonly settings: BillingSettings }>;
