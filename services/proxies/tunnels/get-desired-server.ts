import type { DesiredProxy, DesiredServer, InternalCalls, Verb } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { ProxiesContext } from '../context.ts';
import { originOf } from '../proxy/origin.ts';
import { lags, type ProxyRow } from '../proxy/row.ts';
import { suspensionOf } from '../proxy/suspension.ts';
import { isConnected } from '../server/health.ts';
import type { ServerRow } from '../server/row.ts';

/** What the worker is to bring about for a server. */
export const getDesiredServer: Verb<InternalCalls['proxies.getDesiredServer'], ProxiesContext> = (
  { reads },
  { serverId },
) => readDesired(reads, serverId);

interface WithDomains extends ProxyRow {
  readonly domains: readonly string[];
}

/** What should be at the provider for a server, and what was last seen there; null for one nobody knows. */
export async function readDesired(sql: AnySql, serverId: string): Promise<DesiredServer | null> {
  // The server first: a change of it raises the generations of its proxies too, and then nothing of the old one counts.
  const [server] = await sql<ServerRow[]>`select * from servers where uuid = ${serverId}`;
  if (!server) return null;
  const proxies = await sql<WithDomains[]>`
    select *, array(select host from domains where proxy_id = proxies.id and served order by host) as domains
    from proxies where server_id = ${server.id} order by id`;
  const { generation, incarnation, applied, removedAt, tunnelHealth } = server;
  return {
    serverId,
    tunnel: {
      ...{ generation, want: removedAt ? null : { incarnation }, applied },
      ...{ connected: isConnected(tunnelHealth), settled: !lags(server) },
    },
    proxies: proxies.map(desiredOf),
  };
}

function desiredOf(row: WithDomains): DesiredProxy {
  const { uuid, generation, hostname, applied } = row;
  const suspended = suspensionOf(row) !== null;
  const domains = row.domains.length > 0 ? { domains: [...row.domains] } : {};
  return {
    proxyId: uuid,
    generation,
    want: row.removedAt ? null : { hostname, ...originOf(row), suspended, ...domains },
    applied,
    settled: !lags(row),
  };
}
