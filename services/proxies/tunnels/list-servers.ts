import type { InternalCalls, Verb } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { ProxiesContext } from '../context.ts';
import { lags, type ProxyRow } from '../proxy/row.ts';
import type { ServerRow } from '../server/row.ts';

type ListedServers = InternalCalls['proxies.listServers']['response']['_output'];

/** What is believed to be at the provider, by UUID: a page of it, from after the given one. */
export const listServers: Verb<InternalCalls['proxies.listServers'], ProxiesContext> = ({ sql }, { after }) =>
  readServers(sql, after);

/** So many proxies: below the bus's reply limit. A server has fewer. */
const pageSize = 2_000;

type Compared = Pick<ServerRow, 'uuid' | 'applied' | 'tunnelHealth' | 'generation' | 'appliedGeneration'>;
interface ComparedProxy {
  readonly uuid: string | null;
  readonly applied: ProxyRow['applied'];
  readonly isSettled: boolean;
}

export async function readServers(sql: AnySql, after: string): Promise<ListedServers> {
  // All of them are read again and again: nothing but what is compared.
  const rows = await sql<(Compared & { proxy: ComparedProxy })[]>`
    select servers.uuid, servers.applied, servers.tunnel_health, servers.generation, servers.applied_generation,
      jsonb_build_object('uuid', proxies.uuid, 'applied', proxies.applied,
        'isSettled', proxies.generation <= proxies.applied_generation) as proxy
    from servers left join proxies on proxies.server_id = servers.id
    where servers.uuid > ${after} order by servers.uuid, proxies.id limit ${pageSize}`;
  const byServer = Map.groupBy(rows, ({ uuid }) => uuid);
  const isLast = rows.length < pageSize;
  // The page may end within a server: that begins the next one.
  const cut = isLast ? undefined : rows.at(-1)?.uuid;
  const whole = [...byServer].filter(([uuid]) => uuid !== cut);
  const servers = whole.flatMap(([serverId, [first, ...others]]) =>
    first
      ? {
          ...{ serverId, tunnelId: first.applied?.tunnelId ?? null, health: first.tunnelHealth },
          settled: !lags(first),
          proxies: [first, ...others].flatMap(({ proxy }) => comparedOf(proxy)),
        }
      : [],
  );
  return { servers, next: isLast ? null : (whole.at(-1)?.[0] ?? null) };
}

function comparedOf({
  uuid,
  applied,
  isSettled,
}: ComparedProxy): ListedServers['servers'][number]['proxies'] {
  if (uuid === null) return [];
  const domains = applied?.domains ? { domains: applied.domains } : {};
  return [{ proxyId: uuid, dnsRecordId: applied?.dnsRecordId ?? null, ...domains, settled: isSettled }];
}
