import type { InternalCalls, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { originOf } from '../proxy/origin.ts';
import { lags, type ProxyRow } from '../proxy/row.ts';
import { suspensionOf } from '../proxy/suspension.ts';
import { isConnected } from './health.ts';

/** What the worker is to bring about for a proxy. */
export const getDesired: Verb<InternalCalls['proxies.getDesired'], ProxiesContext> = async (
  { reads },
  input,
) => {
  const [row] = await reads<(ProxyRow & { domains: string[] })[]>`
    select *, array(select host from domains where proxy_id = proxies.id and served order by host) as domains
    from proxies where uuid = ${input.proxyId}`;
  if (!row) return null;
  const { generation, incarnation, hostname, applied } = row;
  const suspended = suspensionOf(row) !== null;
  const domains = row.domains.length > 0 ? { domains: row.domains } : {};
  return {
    proxyId: row.uuid,
    generation,
    want: row.removedAt ? null : { incarnation, hostname, ...originOf(row), suspended, ...domains },
    applied,
    connected: isConnected(row.tunnelHealth),
    settled: !lags(row),
  };
};
