import type { ConnectorSignal, Verbs } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { createBudget } from './budget/budget.ts';
import { listCertificates, readCertificates } from './certificates/list.ts';
import { orderCertificate } from './certificates/order.ts';
import type { WorkerContext } from './context.ts';
import { listDeadLetters } from './dead-letters/list.ts';
import { readDeadLetters } from './dead-letters/read.ts';
import { retryDeadLetters } from './dead-letters/retry.ts';
import { measureJobs } from './jobs/metrics.ts';
import { startHistoryPruner } from './jobs/prune-history.ts';
import { receiveJobs } from './jobs/receive.ts';
import { startCheck } from './problems/check.ts';
import { listProviderProblems } from './problems/list.ts';
import { startProviderProblems } from './problems/problems.ts';
import { getResyncReport, resync } from './resync/resync.ts';
import { startResync } from './resync/schedule.ts';
import type { WorkerSettings } from './settings.ts';
import { getConnectors } from './tunnels/get-connectors.ts';
import { getTunnelStatus } from './tunnels/get-status.ts';
import { getTunnelToken } from './tunnels/get-token.ts';
import { createRecent, forgetChanged } from './tunnels/recent.ts';

/** How long a tunnel's connectors are cached, in ms. */
const connectorsMs = 2_000;

const verbs: Verbs<'tunnel-worker', WorkerContext> = {
  getTunnelToken,
  getTunnelStatus,
  getConnectors,
  listDeadLetters,
  readDeadLetters,
  retryDeadLetters,
  resync,
  getResyncReport,
  listProviderProblems,
  listCertificates,
  readCertificates,
  orderCertificate,
};

/** Makes the tunnel provider match what proxies wants, and asks it what only it knows. */
export async function wire(base: ServiceBase, settings: WorkerSettings, lifecycle: Lifecycle) {
  const budget = createBudget(base.redis, settings, lifecycle.log);
  measureJobs(base.sql);
  startHistoryPruner(base.sql, lifecycle);
  const problems = startProviderProblems(base, lifecycle);
  startCheck(settings, budget, problems, lifecycle);
  const jobs = receiveJobs(base, settings, budget, problems, lifecycle);
  const resync = startResync(base, settings, budget, problems, jobs.kick, lifecycle);
  const connectors = createRecent<ConnectorSignal>(connectorsMs);
  forgetChanged(base.nc, connectors, lifecycle);
  return { added: { connectors, settings, budget, problems, jobs, resync }, verbs };
}
