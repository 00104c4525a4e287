import type { LoggedRequest, Routes, Verb } from '@talpa/contracts';
import { callInternal } from '@talpa/service-kit/bus/request';
import { recordRead } from '@talpa/service-kit/database/record-read';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';
import { csvOf } from './csv.ts';
import { daysOf, unavailableBy } from './log.ts';

type List = Routes['GET /api/tunnel-configs/:id/requests'];

/** What visitors asked of a proxy, the newest first. */
export const listRequests: Verb<List, ProxiesContext> = async (context, { id, ...wanted }) => {
  const row = await findProxy(context.reads, id, context);
  const { requestLog: mode, uuid: proxyId } = row;
  if (mode === 'off' || unavailableBy(context.settings)) return noRequests(context);
  const days = await daysOf(context, row);
  const asked = callInternal(context.nc, 'stats.readRequests', { ...wanted, proxyId, mode, days }, context);
  const { requests, next, total } = await context.whileWaiting(asked);
  context.setPage({ next, total });
  return requests;
};

function noRequests(context: ProxiesContext): LoggedRequest[] {
  context.setPage({ next: null, total: '0' });
  return [];
}

/** The same as CSV. */
export const exportRequests: Verb<
  Routes['GET /api/tunnel-configs/:id/requests.csv'],
  ProxiesContext
> = async (context, input) => {
  const { id, serverName, userId } = await findProxy(context.reads, input.id, context);
  const requests = await listRequests(context, input);
  await recordRead(context, { target: { kind: 'proxy', id, label: serverName }, subjectUserId: userId });
  return csvOf(requests, input.cursor === undefined);
};
