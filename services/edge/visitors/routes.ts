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
  const findCached = (hostname: string) => {
    const known = cache.get(hostname);
    if (known) return known;
    const found = look(hostname).then(
      (route) => {
        lastKnown.set(hostname, { route });
        return route;
      },
      (error: unknown) => {
        cache.delete(hostname);
        const before = lastKnown.get(hostname);
        if (!before) throw error;
        return before.route;
      },
    );
    cache.set(hostname, found);
    return found;
  };
  return {
    find: findCached,
    isKnown: (hostname) => (lastKnown.peek(hostname)?.route ?? null) !== null,
    forget: (hostname) => (hostname === undefined ? cache.clear() : void cache.delete(hostname)),
  };
}
