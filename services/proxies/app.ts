import type { Verbs } from '@talpa/contracts';
import { republishToNewStreams } from '@talpa/service-kit/events/stream-seen';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import type { ProxiesContext } from './context.ts';
import { addDomain } from './domains/add.ts';
import { checkDomain } from './domains/check-now.ts';
import { listDomains } from './domains/list.ts';
import { removeDomain } from './domains/remove.ts';
import { startDomainChecks } from './domains/schedule.ts';
import { checkSubdomain } from './proxies/check-subdomain.ts';
import { createProxy } from './proxies/create.ts';
import { deleteProxy } from './proxies/delete.ts';
import { exportUser } from './proxies/export.ts';
import { findOwned } from './proxies/find-owned.ts';
import { getProxy } from './proxies/get.ts';
import { liftProxySuspension } from './proxies/lift-suspension.ts';
import { listProxies } from './proxies/list.ts';
import { listAllProxies } from './proxies/list-all.ts';
import { nameProxies } from './proxies/name.ts';
import { owned, readProxies, republish, republishRow } from './proxies/republish.ts';
import { suspendProxy } from './proxies/suspend.ts';
import { updateProxy } from './proxies/update.ts';
import { canCreateProxy } from './quotas/can-create.ts';
import { projectUsers } from './quotas/project-users.ts';
import { projectEntitlements } from './quotas/projection.ts';
import type { ProxiesSettings } from './settings.ts';
import { getDesired } from './tunnels/get-desired.ts';
import { getHealth } from './tunnels/get-health.ts';
import { getTunnelStatus } from './tunnels/get-status.ts';
import { getTunnelToken } from './tunnels/get-token.ts';
import { getTraffic } from './tunnels/get-traffic.ts';
import { listEvents } from './tunnels/list-events.ts';
import { listTunnels } from './tunnels/list-tunnels.ts';
import { measureLag } from './tunnels/metrics.ts';
import { observe } from './tunnels/observe.ts';
import { recreateTunnel } from './tunnels/recreate.ts';
import { report } from './tunnels/report.ts';
import { startSweep } from './tunnels/sweep.ts';

const verbs: Verbs<'proxies', ProxiesContext> = {
  listProxies,
  listAllProxies,
  getProxy,
  createProxy,
  updateProxy,
  deleteProxy,
  suspendProxy,
  liftProxySuspension,
  canCreateProxy,
  checkSubdomain,
  listDomains,
  addDomain,
  checkDomain,
  removeDomain,
  getTunnelToken,
  getTunnelStatus,
  getHealth,
  getTraffic,
  listEvents,
  recreateTunnel,
  exportUser,
  republish,
  republishRow,
  readProxies,
  findOwned,
  getDesired,
  report,
  observe,
  listTunnels,
  nameProxies,
};

/** Proxy configurations, quota, the desired and the reported state of their tunnels. */
export async function wire(base: ServiceBase, settings: ProxiesSettings, lifecycle: Lifecycle) {
  projectEntitlements(base, lifecycle);
  projectUsers(base, lifecycle);
  republishToNewStreams(base, owned, settings.STREAM_WATCH_MS, lifecycle);
  measureLag(base.sql);
  startDomainChecks(base, settings, lifecycle);
  startSweep(base, settings.SWEEP_INTERVAL_MS, lifecycle);
  return { added: { settings }, verbs };
}
