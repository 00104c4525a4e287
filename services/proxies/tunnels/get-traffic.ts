import { type Routes, tunnelProviders, type Verb } from '@talpa/contracts';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';

/** What went through a proxy's tunnels; Cloudflare does not report it. */
export const getTraffic: Verb<Routes['GET /api/tunnel-configs/:id/traffic'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { uuid } = await findProxy(context.reads, id, context);
  if (!tunnelProviders[context.settings.TUNNEL_PROVIDER].traffic) return { figures: null };
  const asked = callInternal(context.nc, 'stats.readTraffic', { proxyId: uuid }, context);
  return { figures: await context.whileWaiting(asked) };
};
