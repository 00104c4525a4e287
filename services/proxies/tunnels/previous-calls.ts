import type { DesiredServer, InternalCalls, Outcome, TunnelOutcome, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProxiesContext } from '../context.ts';
import type { ServerRow } from '../server/row.ts';
import { readDesired } from './get-desired-server.ts';
import { readServers } from './list-servers.ts';
import { observeServers } from './observe-servers.ts';
import { takeReport } from './report-server.ts';

// What workers of the previous version ask and say during a rolling upgrade: they know proxies with a tunnel of their own, whose servers
// have their uuid. With the next release this file goes.

/** @throws AppError `internal` for what they cannot know: null would have them remove it */
export const getDesired: Verb<InternalCalls['proxies.getDesired'], ProxiesContext> = async (
  { reads },
  { proxyId },
) => {
  const server = await readDesired(reads, proxyId);
  return server && aloneOn(server);
};

function aloneOn({ serverId, tunnel, proxies }: DesiredServer) {
  const [proxy, ...others] = proxies;
  if (!proxy || proxy.proxyId !== serverId || proxy.leaves || others.length > 0)
    throw new AppError('internal');
  return {
    ...proxy,
    want: tunnel.want && proxy.want && { ...tunnel.want, ...proxy.want },
    connected: tunnel.connected,
    settled: tunnel.settled && proxy.settled,
  };
}

export const report: Verb<InternalCalls['proxies.report'], ProxiesContext> = async (
  context,
  { proxyId, generation, outcome },
) => ({
  counted: await takeReport(context, proxyId, ({ server, proxies: [proxy, ...others] }) =>
    proxy?.uuid === proxyId && proxy.generation === generation && others.length === 0
      ? {
          ...{ serverId: proxyId, generation: server.generation, tunnel: ofTunnel(outcome, server) },
          proxies: [{ proxyId, generation, outcome }],
        }
      : null,
  ),
});

/** What concerns the tunnel of what is reported of its only proxy. */
function ofTunnel(outcome: Outcome, { applied, incarnation }: ServerRow): TunnelOutcome | null {
  if (outcome.kind === 'removed') return outcome;
  if (outcome.kind === 'applied')
    return {
      kind: 'applied',
      applied: { tunnelId: outcome.applied.tunnelId, incarnation: outcome.applied.incarnation },
    };
  // Without the wanted tunnel that is what was refused.
  const isTunnels =
    outcome.kind === 'refused' && (outcome.reason === 'tunnel_gone' || applied?.incarnation !== incarnation);
  return isTunnels ? outcome : null;
}

export const listTunnels: Verb<InternalCalls['proxies.listTunnels'], ProxiesContext> = async (
  { sql },
  { after },
) => {
  const { servers, next } = await readServers(sql, after);
  const tunnels = servers.flatMap(({ tunnelId, health, settled, proxies }) =>
    proxies.map((proxy) => ({ ...proxy, tunnelId, health, settled: settled && proxy.settled })),
  );
  return { tunnels, next };
};

export const observe: Verb<InternalCalls['proxies.observe'], ProxiesContext> = (context, { seen }) =>
  observeServers(context, { seen: seen.map(({ proxyId, ...one }) => ({ serverId: proxyId, ...one })) });
