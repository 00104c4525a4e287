import type { ConnectorSignal, Verbs } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase, ServiceContext } from '@talpa/service-kit/process/service';
import { type Budget, createBudget } from './budget/budget.ts';
import { listDeadLetters } from './dead-letters/list.ts';
import { retryDeadLetters } from './dead-letters/retry.ts';
import { measureJobs } from './jobs/metrics.ts';
import { startHistoryPruner } from './jobs/prune-history.ts';
import { receiveJobs } from './jobs/receive.ts';
import type { JobRunner } from './jobs/runner.ts';
import { startCheck } from './problems/check.ts';
import { listProviderProblems } from './problems/list.ts';
import { type ProviderProblems, startProviderProblems } from './problems/problems.ts';
import { getResyncReport, resync } from './resync/resync.ts';
import { type Resync, startResync } from './resync/schedule.ts';
import type { WorkerSettings } from './settings.ts';
import { getConnectors } from './tunnels/get-connectors.ts';
import { getTunnelStatus } from './tunnels/get-status.ts';
import { getTunnelToken } from './tunnels/get-token.ts';
import { createRecent, forgetChanged, type Recent } from './tunnels/recent.ts';

interface Parts {
  readonly settings: WorkerSettings;
  readonly budget: Budget;
  readonly problems: ProviderProblems;
  readonly work: JobRunner;
  readonly resync: Resync;
  /** Who is connected to a tunnel, by its id; null: it is gone. */
  readonly connectors: Recent<ConnectorSignal | null>;
}

/** How long many who look at one tunnel are answered by one question. */
const connectorsMs = 2_000;

/** What every verb of the worker gets. */
export type WorkerContext = ServiceContext<Parts>;

const verbs: Verbs<'worker', WorkerContext> = {
  getTunnelToken,
  getTunnelStatus,
  getConnectors,
  listDeadLetters,
  retryDeadLetters,
  resync,
  getResyncReport,
  listProviderProblems,
};

/** Makes the tunnel provider match what proxies wants, and asks it what only it knows. */
export async function wire(base: ServiceBase, settings: WorkerSettings, lifecycle: Lifecycle) {
  const budget = createBudget(base.redis, settings, lifecycle.log);
  measureJobs(base.sql);
  startHistoryPruner(base.sql, lifecycle);
  const problems = startProviderProblems(base.sql, lifecycle);
  startCheck(settings, budget, problems, lifecycle);
  const work = receiveJobs(base, settings, budget, problems, lifecycle);
  const resync = startResync(base, settings, budget, problems, work.kick, lifecycle);
  const connectors = createRecent<ConnectorSignal | null>(connectorsMs);
  forgetChanged(base.nc, connectors, lifecycle);
  return { added: { connectors, settings, budget, problems, work, resync }, verbs };
}
