import type { AppliedTunnel, DesiredProxy, DesiredServer, InternalCalls, Verb } from '@talpa/contracts';
import { isConnected } from '@talpa/contracts/status';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { ProxiesContext } from '../context.ts';
import { originOf } from '../proxy/origin.ts';
import { lags, type ProxyRow } from '../proxy/row.ts';
import { suspensionOf } from '../proxy/suspension.ts';
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
  // A proxy that has moved may have the uuid of the server that was made for it.
  const proxies = await sql<WithDomains[]>`
    select *, array(select host from domains where proxy_id = proxies.id and served order by host) as domains
    from proxies where server_id = ${server?.id ?? 0} or moved_from = ${server?.id ?? 0} or uuid = ${serverId} order by id`;
  if (!server)
    return proxies.length === 0
      ? null
      : { serverId, tunnel: gone, proxies: proxies.map((row) => leavingOf(row, null)) };
  const { generation, incarnation, applied, removedAt, tunnelHealth } = server;
  return {
    serverId,
    tunnel: {
      ...{ generation, want: removedAt ? null : { incarnation }, applied },
      ...{ connected: isConnected(tunnelHealth), settled: !lags(server) },
    },
    proxies: proxies.map((row) => (row.serverId === server.id ? desiredOf(row) : leavingOf(row, applied))),
  };
}

/** A server that went when its only proxy moved. */
const gone = { generation: 1, want: null, applied: null, connected: true, settled: true };

/** Of a proxy that is another server's: its rule, while its names may still lead to this one's tunnel, and nothing else. */
function leavingOf(row: WithDomains, tunnel: AppliedTunnel | null): DesiredProxy {
  const { uuid, generation, applied } = row;
  const isServed = applied !== null && row.removedAt === null && applied.tunnelId === tunnel?.tunnelId;
  const suspended = suspensionOf(row) !== null || (applied?.suspended ?? false);
  return {
    ...{ proxyId: uuid, generation, settled: true, leaves: true },
    ...(isServed
      ? { want: { ...applied, suspended, ...pausedOf(row) }, applied }
      : { want: null, applied: null }),
  };
}

/** Left out where it is not: what earlier versions have stored as applied stays equal. */
const pausedOf = ({ pausedAt }: WithDomains) => (pausedAt ? { paused: true } : {});

function desiredOf(row: WithDomains): DesiredProxy {
  const { uuid, generation, hostname, applied } = row;
  const suspended = suspensionOf(row) !== null;
  const domains = row.domains.length > 0 ? { domains: [...row.domains] } : {};
  return {
    proxyId: uuid,
    generation,
    want: row.removedAt ? null : { hostname, ...originOf(row), suspended, ...pausedOf(row), ...domains },
    applied,
    settled: !lags(row),
    // What was refused may have led some of its names already.
    ...(row.restoring && { unsure: true }),
  };
}
