import type { ServiceContext } from '@talpa/service-kit/process/service';
import type { StatsSettings } from './settings.ts';

interface Parts {
  readonly settings: StatsSettings;
}

/** What every verb of stats gets. */
export type StatsContext = ServiceContext<Parts>;
