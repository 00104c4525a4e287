import type { ConnectorSignal, Verbs } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase, ServiceContext } from '@talpa/service-kit/process/service';
import { type Budget, createBudget } from './budget/budget.ts';
import { measureWork } from './leases/metrics.ts';
import { listParked } from './parked/list.ts';
import { retryParked } from './parked/retry.ts';
import { getReconcileReport, reconcile } from './reconcile/reconcile.ts';
import { type Reconciler, startReconciler } from './reconcile/reconciler.ts';
import { startPruner } from './runs/pruner.ts';
import type { WorkerSettings } from './settings.ts';
import { startCheck } from './troubles/check.ts';
import { listTroubles } from './troubles/list.ts';
import { startTroubles, type Troubles } from './troubles/troubles.ts';
import { getConnectors } from './tunnels/get-connectors.ts';
import { getTunnelStatus } from './tunnels/get-status.ts';
import { getTunnelToken } from './tunnels/get-token.ts';
import { createRecent, forgetChanged, type Recent } from './tunnels/recent.ts';
import { receiveWakeups } from './wakeups/receive.ts';
import type { Work } from './wakeups/work.ts';

interface Parts {
  readonly settings: WorkerSettings;
  readonly budget: Budget;
  readonly troubles: Troubles;
  readonly work: Work;
  readonly reconciler: Reconciler;
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
  listParked,
  retryParked,
  reconcile,
  getReconcileReport,
  listTroubles,
};

/** Makes the tunnel provider match what proxies wants, and asks it what only it knows. */
export async function wire(base: ServiceBase, settings: WorkerSettings, lifecycle: Lifecycle) {
  const budget = createBudget(base.redis, settings, lifecycle.log);
  measureWork(base.sql);
  startPruner(base.sql, lifecycle);
  const troubles = startTroubles(base.sql, lifecycle);
  startCheck(settings, budget, troubles, lifecycle);
  const work = receiveWakeups(base, settings, budget, troubles, lifecycle);
  const reconciler = startReconciler(base, settings, budget, troubles, work.kick, lifecycle);
  const connectors = createRecent<ConnectorSignal | null>(connectorsMs);
  forgetChanged(base.nc, connectors, lifecycle);
  return { added: { connectors, settings, budget, troubles, work, reconciler }, verbs };
}
