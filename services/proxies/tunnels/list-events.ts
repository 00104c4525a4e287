import type { Routes, Verb } from '@talpa/contracts';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';

/** What was done to a proxy, and when its connector came and went. */
export const listEvents: Verb<Routes['GET /api/tunnel-configs/:id/events'], ProxiesContext> = async (
  context,
  { id, limit },
) => {
  const { uuid: proxyId, userId } = await findProxy(context.reads, id, context);
  return context.whileWaiting(
    callInternal(context.nc, 'stats.readEvents', { proxyId, id, userId, limit }, context),
  );
};
