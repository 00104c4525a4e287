import type { Verbs } from '@talpa/contracts';
import { republishToNewStreams } from '@talpa/service-kit/events/stream-seen';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase, ServiceContext } from '@talpa/service-kit/process/service';
import type { SettingName, Settings } from '@talpa/service-kit/settings';
import { checkSubdomain } from './proxies/check-subdomain.ts';
import { createProxy } from './proxies/create.ts';
import { deleteProxy } from './proxies/delete.ts';
import { exportUser } from './proxies/export.ts';
import { getProxy } from './proxies/get.ts';
import { liftProxySuspension } from './proxies/lift-suspension.ts';
import { listProxies } from './proxies/list.ts';
import { listAllProxies } from './proxies/list-all.ts';
import { nameProxies } from './proxies/name.ts';
import { owned, readProxies, republish, tellAgain } from './proxies/republish.ts';
import { suspendProxy } from './proxies/suspend.ts';
import { updateProxy } from './proxies/update.ts';
import { canCreateProxy } from './quotas/can-create.ts';
import { learnNames } from './quotas/names.ts';
import { projectUsers } from './quotas/project-users.ts';
import { projectEntitlements } from './quotas/projection.ts';
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

export const ownSettings = [
  'TUNNEL_DOMAIN',
  'TUNNEL_PUBLIC_PORT',
  'PUBLIC_URL',
  'RESERVED_NAMES',
  'TUNNEL_PROVIDER',
  'PROVISION_WAIT_MS',
  'SWEEP_INTERVAL_MS',
  'STREAM_WATCH_MS',
] as const satisfies readonly SettingName[];

interface Parts {
  readonly settings: Settings<(typeof ownSettings)[number]>;
}

/** What every verb of proxies gets. */
export type ProxiesContext = ServiceContext<Parts>;

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
  getTunnelToken,
  getTunnelStatus,
  getHealth,
  getTraffic,
  listEvents,
  recreateTunnel,
  exportUser,
  republish,
  tellAgain,
  readProxies,
  getDesired,
  report,
  observe,
  listTunnels,
  nameProxies,
};

/** Proxy configurations, quota, the wanted and the reported state of their tunnels. */
export async function wire(base: ServiceBase, settings: Parts['settings'], lifecycle: Lifecycle) {
  projectEntitlements(base, lifecycle);
  projectUsers(base, lifecycle);
  learnNames(base, lifecycle);
  republishToNewStreams(base, owned, settings.STREAM_WATCH_MS, lifecycle);
  measureLag(base.sql);
  startSweep(base, settings.SWEEP_INTERVAL_MS, lifecycle);
  return { added: { settings }, verbs };
}
