import type { Verbs } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase, ServiceContext } from '@talpa/service-kit/process/service';
import { startPruner } from './runs/pruner.ts';
import type { WorkerSettings } from './settings.ts';
import { getTunnelStatus } from './tunnels/get-status.ts';
import { getTunnelToken } from './tunnels/get-token.ts';
import { receiveWakeups } from './wakeups/receive.ts';

/** What every verb of the worker gets. */
export type WorkerContext = ServiceContext<{ readonly settings: WorkerSettings }>;

const verbs: Verbs<'worker', WorkerContext> = { getTunnelToken, getTunnelStatus };

/** Makes the tunnel provider match what proxies wants, and asks it what only it knows. */
export async function wire(base: ServiceBase, settings: WorkerSettings, lifecycle: Lifecycle) {
  startPruner(base.sql, lifecycle);
  receiveWakeups(base, settings, lifecycle);
  return { added: { settings }, verbs };
}
