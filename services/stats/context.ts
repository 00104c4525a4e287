import type { ServiceContext } from '@talpa/service-kit/service/service';
import type { LiveRequests } from './requests/live.ts';
import type { StatsSettings } from './settings.ts';

interface Parts {
  readonly settings: StatsSettings;
  readonly liveRequests: LiveRequests;
}

/** What every verb of stats gets. */
export type StatsContext = ServiceContext<Parts>;
