import { type RequestLog, tunnelProviders } from '@talpa/contracts';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { ProxiesContext } from '../context.ts';
import type { ProxyRow } from '../proxy/row.ts';
import type { ProxiesSettings } from '../settings.ts';
import { readRequestLogDays } from '../users/limits.ts';

/** Why there is no log at all; null: there is one. Cloudflare does not report requests. */
export function unavailableBy(
  settings: Pick<ProxiesSettings, 'TUNNEL_PROVIDER' | 'REQUEST_LOG_DAYS'>,
): RequestLog['unavailable'] {
  if (!tunnelProviders[settings.TUNNEL_PROVIDER].requestLog) return 'provider';
  return settings.REQUEST_LOG_DAYS === 0 ? 'operator' : null;
}

/** For how many days a proxy's requests are stored: as long as its owner's plan and the operator say. */
export const daysOf = ({ reads, settings }: ProxiesContext, { userId }: Pick<ProxyRow, 'userId'>) =>
  readRequestLogDays(reads, userId, settings.REQUEST_LOG_DAYS);

/** How a proxy's requests are logged. */
export async function describeLog(context: ProxiesContext, row: ProxyRow): Promise<RequestLog> {
  const unavailable = unavailableBy(context.settings);
  const days = await daysOf(context, row);
  const { requestLog: mode, uuid } = row;
  if (unavailable || mode !== 'metadata') return { mode, unavailable, days, entries: 0, missed: 0 };
  const asked = callInternal(context.nc, 'stats.readRequestLog', { proxyId: uuid, days }, context);
  return { mode, unavailable, days, ...(await context.whileWaiting(asked)) };
}
