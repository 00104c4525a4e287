import type { Actor, ProxyEvent, Routes, Verb } from '@talpa/contracts';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';
import { findServer } from '../server/find.ts';

/** What was done to a proxy and the tunnel it shares, and when its connector came and went. */
export const listEvents: Verb<Routes['GET /api/tunnel-configs/:id/events'], ProxiesContext> = async (
  context,
  { id, limit },
) => {
  const { uuid: proxyId, userId, serverId } = await findProxy(context.reads, id, context);
  const events = await context.whileWaiting(
    callInternal(context.nc, 'stats.readEvents', { proxyId, id, serverId, userId, limit }, context),
  );
  return shownTo(context.actor, userId, events);
};

/** What an owner's keys are called is nobody else's business. */
const shownTo = ({ userId }: Actor, ownerId: number, events: ProxyEvent[]): ProxyEvent[] =>
  userId === ownerId
    ? events
    : events.map((event) => (event.kind === 'deed' ? { ...event, keyName: null } : event));

/** The same of a server. */
export const listServerEvents: Verb<Routes['GET /api/servers/:id/events'], ProxiesContext> = async (
  context,
  { id, limit },
) => {
  const { row, reach } = await findServer(context.reads, id, context);
  const proxies = await context.reads<{ proxyId: string; id: number }[]>`
    select uuid as proxy_id, id from proxies where id in ${context.reads([0, ...reach.proxyIds])} order by id`;
  const asked = { serverId: id, userId: row.userId, proxies: [...proxies], limit };
  const events = await context.whileWaiting(
    callInternal(context.nc, 'stats.readServerEvents', asked, context),
  );
  return shownTo(context.actor, row.userId, events);
};
