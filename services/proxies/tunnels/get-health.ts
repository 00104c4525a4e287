import {
  type AppliedTunnel,
  type ConnectorSignal,
  noConnector,
  type Routes,
  tunnelProviders,
  type Verb,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';

/** What the provider says of a proxy's connector now, and what the statistics have kept of both its ends. */
export const getHealth: Verb<Routes['GET /api/tunnel-configs/:id/health'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { uuid, applied } = await findProxy(context.reads, id, context);
  const [connector, { origin, uptime }] = await context.whileWaiting(
    Promise.all([
      connectorOf(context, applied),
      callInternal(context.nc, 'stats.readHealth', { proxyId: uuid }, context),
    ]),
  );
  // What Cloudflare does not report is not “never reached”.
  const { originHealth } = tunnelProviders[context.settings.TUNNEL_PROVIDER];
  return { connector, origin: originHealth ? origin : null, uptime };
};

/** What the provider says of a tunnel's connector; null when it cannot be asked: history is shown all the same. */
export async function connectorOf(
  context: ProxiesContext,
  applied: AppliedTunnel | null,
): Promise<ConnectorSignal | null> {
  if (!applied) return noConnector;
  try {
    const { tunnelId } = applied;
    return await callInternal(context.nc, 'tunnel-worker.getConnectors', { tunnelId }, context);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.log.debug({ err: error }, 'a connector could not be asked for');
    return null;
  }
}
