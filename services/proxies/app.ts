import type { Verbs } from '@talpa/contracts';
import { republishToNewStreams } from '@talpa/service-kit/events/stream-seen';
import { createPasswords } from '@talpa/service-kit/passwords';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { createAccessCode } from './access/create-code.ts';
import { endAllVisits, endVisit } from './access/end-visit.ts';
import { endVisits } from './access/end-visits.ts';
import { getAccess } from './access/get.ts';
import { getWall } from './access/get-wall.ts';
import { judgeVisitor } from './access/judge.ts';
import { listVisits } from './access/list-visits.ts';
import { notifyOfVisits } from './access/notify-visits.ts';
import { prepareAccessCode } from './access/prepare-code.ts';
import { createServiceToken, listServiceTokens, revokeServiceToken } from './access/service-tokens.ts';
import { setAccess } from './access/set.ts';
import type { ProxiesContext } from './context.ts';
import { addDomain } from './domains/add.ts';
import { checkDomain } from './domains/check-now.ts';
import { listDomains } from './domains/list.ts';
import { removeDomain } from './domains/remove.ts';
import { startDomainChecks } from './domains/schedule.ts';
import { enrol } from './enrolment/enrol.ts';
import { createEnrolmentKey, listEnrolmentKeys, revokeEnrolmentKey } from './enrolment/keys.ts';
import { addGamePort } from './game-ports/add.ts';
import { listGamePorts } from './game-ports/list.ts';
import { refuseNameWithCookies } from './game-ports/name.ts';
import { removeGamePort } from './game-ports/remove.ts';
import { updateGamePort } from './game-ports/update.ts';
import { acceptInvitation, acceptInvitationLink } from './members/accept.ts';
import { declineInvitation, declineInvitationLink } from './members/decline.ts';
import { startExpiry } from './members/expire.ts';
import { listInvitations, readInvitationLink } from './members/invitations.ts';
import { inviteMember } from './members/invite.ts';
import { leaveProxy } from './members/leave.ts';
import { listMembers } from './members/list.ts';
import { listShared } from './members/list-shared.ts';
import { prepareInvitation } from './members/prepare-invitation.ts';
import { removeMember } from './members/remove.ts';
import { updateMember } from './members/update.ts';
import { canCreateProxy } from './proxies/can-create.ts';
import { checkSubdomain } from './proxies/check-subdomain.ts';
import { createProxy } from './proxies/create.ts';
import { deleteProxy } from './proxies/delete.ts';
import { exportUser } from './proxies/export.ts';
import { findReachable } from './proxies/find-reachable.ts';
import { getProxy } from './proxies/get.ts';
import { liftProxySuspension } from './proxies/lift-suspension.ts';
import { listProxies } from './proxies/list.ts';
import { listAllProxies } from './proxies/list-all.ts';
import { nameProxies } from './proxies/name.ts';
import { owned, readProxies, republish, republishRow } from './proxies/republish.ts';
import { suspendProxy } from './proxies/suspend.ts';
import { updateProxy } from './proxies/update.ts';
import { changeRequestLog } from './requests/change.ts';
import { getRequestLog } from './requests/get.ts';
import { exportRequests, listRequests } from './requests/list.ts';
import { startReservationCleanup } from './reservations.ts';
import { createServer } from './servers/create.ts';
import { deleteServer } from './servers/delete.ts';
import { getServer, getServerHealth } from './servers/get.ts';
import { listOwnServers } from './servers/list.ts';
import { moveProxy } from './servers/move.ts';
import { updateServer } from './servers/update.ts';
import type { ProxiesSettings } from './settings.ts';
import { getDesiredServer } from './tunnels/get-desired-server.ts';
import { getHealth } from './tunnels/get-health.ts';
import { getTunnelStatus } from './tunnels/get-status.ts';
import { getServerToken, getTunnelToken } from './tunnels/get-token.ts';
import { getTraffic } from './tunnels/get-traffic.ts';
import { listEvents, listServerEvents } from './tunnels/list-events.ts';
import { listServers } from './tunnels/list-servers.ts';
import { measureLag } from './tunnels/metrics.ts';
import { observeServers } from './tunnels/observe-servers.ts';
import { getDesired, listTunnels, observe, report } from './tunnels/previous-calls.ts';
import { recreateServer, recreateTunnel } from './tunnels/recreate.ts';
import { reportServer } from './tunnels/report-server.ts';
import { startSweep } from './tunnels/sweep.ts';
import { projectUsers } from './users/projection.ts';
import { projectSubscriptions } from './users/subscription-projection.ts';

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
  listEnrolmentKeys,
  createEnrolmentKey,
  revokeEnrolmentKey,
  enrol,
  getAccess,
  setAccess,
  judgeVisitor,
  createAccessCode,
  getWall,
  prepareAccessCode,
  listServiceTokens,
  createServiceToken,
  revokeServiceToken,
  listVisits,
  endVisit,
  endAllVisits,
  listDomains,
  addDomain,
  checkDomain,
  removeDomain,
  listGamePorts,
  addGamePort,
  updateGamePort,
  removeGamePort,
  listMembers,
  inviteMember,
  prepareInvitation,
  updateMember,
  removeMember,
  leaveProxy,
  listShared,
  listInvitations,
  acceptInvitation,
  declineInvitation,
  readInvitationLink,
  declineInvitationLink,
  acceptInvitationLink,
  getTunnelToken,
  getTunnelStatus,
  getHealth,
  getTraffic,
  listEvents,
  getRequestLog,
  changeRequestLog,
  listRequests,
  exportRequests,
  recreateTunnel,
  exportUser,
  republish,
  republishRow,
  readProxies,
  findReachable,
  getDesiredServer,
  reportServer,
  observeServers,
  listServers,
  getDesired,
  report,
  observe,
  listTunnels,
  nameProxies,
  listOwnServers,
  createServer,
  getServer,
  updateServer,
  deleteServer,
  getServerHealth,
  listServerEvents,
  getServerToken,
  recreateServer,
  moveProxy,
};

/** PINs and passwords of walls are set rarely. */
const hashesAtOnce = 1;

/** Proxy configurations, quota, the desired and the reported state of their tunnels. */
export async function wire(base: ServiceBase, settings: ProxiesSettings, lifecycle: Lifecycle) {
  refuseNameWithCookies(settings);
  projectSubscriptions(base, lifecycle);
  projectUsers(base, lifecycle);
  republishToNewStreams(base, owned, settings.STREAM_WATCH_MS, lifecycle);
  measureLag(base.sql);
  startDomainChecks(base, settings, lifecycle);
  startExpiry(base, lifecycle);
  startSweep(base, settings.SWEEP_INTERVAL_MS, lifecycle);
  endVisits(base, lifecycle);
  await notifyOfVisits(base, lifecycle);
  startReservationCleanup(base, lifecycle);
  const passwords = await createPasswords(hashesAtOnce);
  return { added: { settings, passwords }, verbs };
}
