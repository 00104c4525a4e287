import { type ConnectorSignal, noConnector, type Routes, tunnelProviders, type Verb } from '@talpa/contracts';
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
      applied ? connectorOf(context, applied.tunnelId) : noConnector,
      callInternal(context.nc, 'stats.readHealth', { proxyId: uuid }, context),
    ]),
  );
  // What Cloudflare does not report is not “never reached”.
  const { originHealth } = tunnelProviders[context.settings.TUNNEL_PROVIDER];
  return { connector, origin: originHealth ? origin : null, uptime };
};

/** Null when the provider cannot be asked: history is shown all the same. */
async function connectorOf(context: ProxiesContext, tunnelId: string): Promise<ConnectorSignal | null> {
  try {
    return await callInternal(context.nc, 'tunnel-worker.getConnectors', { tunnelId }, context);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    context.log.debug({ err: error }, 'a connector could not be asked for');
    return null;
  }
}
