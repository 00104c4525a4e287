import type { ConnectorSignal } from '@talpa/contracts';
import type { ServiceContext } from '@talpa/service-kit/service/service';
import type { Budget } from './budget/budget.ts';
import type { JobRunner } from './jobs/runner.ts';
import type { ProviderProblems } from './problems/problems.ts';
import type { Resync } from './resync/schedule.ts';
import type { WorkerSettings } from './settings.ts';
import type { Recent } from './tunnels/recent.ts';

interface Parts {
  readonly settings: WorkerSettings;
  readonly budget: Budget;
  readonly problems: ProviderProblems;
  readonly jobs: JobRunner;
  readonly resync: Resync;
  /** Who is connected to a tunnel, by its id; null: it is gone. */
  readonly connectors: Recent<ConnectorSignal>;
}

/** What every verb of the worker gets. */
export type WorkerContext = ServiceContext<Parts>;
