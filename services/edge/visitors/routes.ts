import type { Sql } from '@talpa/service-kit/database/sql';
import { LRUCache } from 'lru-cache';
import type { VisitorRoute } from './ports.ts';

interface RouteRow {
  tunnelId: string;
  /** The first rule of the tunnel's configuration, if it concerns every host. */
  firstService: string | null;
}

/** How long a name's route, or that it has none, is cached: a change shows after a second. */
const cachedMs = 1_000;
/** What the worker configures for a suspended proxy: all visitors are refused, whether a connector is there or not. */
const refusesAll = 'http_status:403';
const tunnelTarget = /^([0-9a-f-]{36})\.cfargotunnel\.com$/;

/** Where host names lead. */
export interface Routes {
  /** The tunnel that the name's DNS record names; null when there is no such record or the tunnel is gone. */
  find(hostname: string): Promise<VisitorRoute | null>;
  /** Whether the name led to a tunnel when it was last looked up. */
  isKnown(hostname: string): boolean;
  /** Looks at the name anew the next time; at every name when none is given. */
  forget(hostname?: string): void;
}

export function createRoutes(sql: Sql): Routes {
  const look = async (hostname: string): Promise<VisitorRoute | null> => {
    const [record] = await sql<{ content: string }[]>`
      select content from tunnel_provider.dns_records where name = ${hostname} and type = 'CNAME' and proxied`;
    const [, tunnelId] = record?.content.match(tunnelTarget) ?? [];
    if (tunnelId === undefined) return null;
    const [row] = await sql<RouteRow[]>`
      select tunnels.id as tunnel_id,
        case when coalesce(config #>> '{ingress,0,hostname}', '*') in ('', '*')
          then config #>> '{ingress,0,service}' end as first_service
      from tunnel_provider.tunnels left join tunnel_provider.configurations on configurations.tunnel_id = tunnels.id
      where tunnels.id = ${tunnelId} and deleted_at is null`;
    if (!row) return null;
    return { tunnelId: row.tunnelId, suspended: row.firstService === refusesAll };
  };
  // Promises are kept, so that many visitors of one name ask the database once.
  const cache = new LRUCache<string, Promise<VisitorRoute | null>>({ max: 50_000, ttl: cachedMs });
  // While the database is away, visitors go on where they went before.
  const lastKnown = new LRUCache<string, { readonly route: VisitorRoute | null }>({ max: 50_000 });
  /** Part of the key, so that to forget all names costs nothing: every role of the database can have it done. */
  let generation = 0;
  const keyOf = (hostname: string) => `${generation} ${hostname}`;
  const findCached = (hostname: string) => {
    const key = keyOf(hostname);
    const known = cache.get(key);
    if (known) return known;
    const found = look(hostname).then(
      (route) => {
        lastKnown.set(hostname, { route });
        return route;
      },
      (error: unknown) => {
        cache.delete(key);
        const before = lastKnown.get(hostname);
        if (!before) throw error;
        return before.route;
      },
    );
    cache.set(key, found);
    return found;
  };
  return {
    find: findCached,
    isKnown: (hostname) => (lastKnown.peek(hostname)?.route ?? null) !== null,
    forget: (hostname) => {
      if (hostname === undefined) generation += 1;
      else cache.delete(keyOf(hostname));
    },
  };
}
