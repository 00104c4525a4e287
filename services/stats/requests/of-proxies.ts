import type { LoggedRequests } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';

type Of<T> = Omit<T, 'tunnelId' | 'proxyId'> & { readonly proxyId: string };

/** Requests, each with whose it is. */
export interface ProxyRequests {
  readonly entries: readonly Of<LoggedRequests['entries'][number]>[];
  readonly missed: readonly Of<LoggedRequests['missed'][number]>[];
}

/** Says whose requests are. Edges of the version before name only the tunnel: what nobody's was is dropped. */
export async function ofProxies(sql: AnySql, { entries, missed }: LoggedRequests): Promise<ProxyRequests> {
  const nameless = [...entries, ...missed].filter(({ proxyId }) => proxyId === undefined);
  const tunnels = [...new Set(nameless.map(({ tunnelId }) => tunnelId))];
  const rows =
    tunnels.length === 0
      ? []
      : await sql<{ tunnelId: string; proxyId: string }[]>`
          select tunnel_id, proxy_id from tunnels where tunnel_id = any(${sql.array(tunnels, 25)})`;
  const first = new Map(rows.map(({ tunnelId, proxyId }) => [tunnelId, proxyId]));
  const named = <T extends LoggedRequests['entries'][number] | LoggedRequests['missed'][number]>(
    all: readonly T[],
  ) =>
    all.flatMap(({ tunnelId, proxyId = first.get(tunnelId), ...one }) =>
      proxyId === undefined ? [] : { ...one, proxyId },
    );
  return { entries: named(entries), missed: named(missed) };
}
