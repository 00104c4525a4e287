import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findServer } from '../server/find.ts';
import { publicServer } from '../server/public.ts';
import { connectorOf } from '../tunnels/get-health.ts';

/** One server, with those of its proxies that the caller may see. */
export const getServer: Verb<Routes['GET /api/servers/:id'], ProxiesContext> = async (context, { id }) => {
  const { row, reach } = await findServer(context.reads, id, context);
  return publicServer(row, reach);
};

/** What the provider says of a server's connector now. */
export const getServerHealth: Verb<Routes['GET /api/servers/:id/health'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { applied } = (await findServer(context.reads, id, context)).row;
  return { connector: await context.whileWaiting(connectorOf(context, applied)) };
};
