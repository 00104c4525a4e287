import { type RequestLogMode, requestLogModes } from '@talpa/contracts/request-kinds';
import { boundedCache } from '@talpa/service-kit/bounded-cache';
import type { Sql } from '@talpa/service-kit/database/sql';
import { createGates } from './gates.ts';
import type { TunnelPorts, VisitorRoute } from './ports.ts';
import { RouteUnavailable } from './route-unavailable.ts';

interface RecordRow {
  content: string;
  proxyId: string | null;
}

interface RouteRow {
  /** The proxy that the record names is there. */
  isKnown: boolean;
  /** Who may visit the proxy, as JSON; null: everyone. */
  policy: string | null;
  version: number | null;
  pinHash: string | null;
  passwordHash: string | null;
  /** Where the tunnel's configuration leads the name: the first rule that concerns it. */
  service: string | null;
  /** What is recorded of its visitors' requests. */
  requestLog: string | null;
  /** Null: the proxy is not paused. */
  pauseMessage: string | null;
}

/** How long a name's route, or that it has none, is cached: a change shows after a second. */
const cachedMs = 1_000;
/** What the worker configures for a suspended proxy: all visitors are refused, whether a connector is there or not. */
const refusesAll = 'http_status:403';
/** A rule without a host concerns them all. */
const concernsName =
  '? (!exists(@.hostname) || @.hostname == "" || @.hostname == "*" || @.hostname == $name)';
const tunnelTarget = /^([0-9a-f-]{36})\.cfargotunnel\.com$/;

interface LastKnown {
  readonly route: VisitorRoute | null;
  /** The name has changed since. */
  readonly isOutdated: boolean;
}

/** Where host names lead. */
export interface Routes extends Pick<TunnelPorts, 'findRule' | 'isKnown' | 'isThere'> {
  /** The tunnel that the name's DNS record names; null when there is no such record or the tunnel is gone. */
  find(hostname: string): Promise<VisitorRoute | null>;
  /** Looks at the name anew the next time; at every name when none is given. */
  forget(hostname?: string): void;
}

export function createRoutes(sql: Sql): Routes {
  const gateOf = createGates();
  const look = async (hostname: string): Promise<VisitorRoute | null> => {
    const [record] = await sql<RecordRow[]>`
      select content, proxy_id from tunnel_provider.dns_records
      where name = ${hostname} and type = 'CNAME' and proxied`;
    const [, tunnelId] = record?.content.match(tunnelTarget) ?? [];
    if (!record || tunnelId === undefined) return null;
    const [row] = await sql<RouteRow[]>`
      select proxies.uuid is not null as is_known, policy::text as policy, access_policies.version, pin_hash, password_hash,
        jsonb_path_query_first(config, ${`$.ingress[*] ${concernsName}`}, ${sql.json({ name: hostname })}) #>> '{service}' as service, request_log,
        case when paused_at is not null then coalesce(pause_message, '') end as pause_message
      from tunnel_provider.tunnels left join tunnel_provider.configurations on configurations.tunnel_id = tunnels.id
        left join proxies.proxies on proxies.uuid = ${record.proxyId}
        left join proxies.access_policies on access_policies.proxy_uuid = proxies.uuid
      where tunnels.id = ${tunnelId} and deleted_at is null`;
    if (!row) return null;
    const { policy, version, pinHash, passwordHash } = row;
    // Whose policy would judge, if the proxy is not there?
    const proxyId = row.isKnown ? record.proxyId : null;
    const route = {
      ...{ proxyId, tunnelId, suspended: row.service === refusesAll, requestLog: modeOf(row) },
      // From the proxy, not from its rule: it holds at once, and while the tunnel's provider is away.
      ...(row.pauseMessage !== null && { paused: { message: row.pauseMessage } }),
    };
    if (proxyId === null || policy === null) return route;
    return { ...route, gate: gateOf({ proxyId, policy, version: version ?? 0, pinHash, passwordHash }) };
  };
  // Promises are kept, so that many visitors of one name ask the database once.
  const cache = boundedCache<string, Promise<VisitorRoute | null>>(50_000, { ttl: cachedMs });
  // While the database is away, visitors of open proxies go on where they went before. Whom a policy lets in is never
  // decided by an earlier one, nor where a name leads that has changed since.
  const lastKnown = boundedCache<string, LastKnown>(50_000);
  /** Part of the key, so that to forget all names costs nothing: every role of the database can have it done. */
  let generation = 0;
  const keyOf = (hostname: string) => `${generation} ${hostname}`;
  const findCached = (hostname: string) => {
    const key = keyOf(hostname);
    const cached = cache.get(key);
    if (cached) return cached;
    const known = lastKnown.peek(hostname);
    const found = look(hostname).then(
      (route) => {
        // It may have changed while it was looked for.
        lastKnown.set(hostname, { route, isOutdated: lastKnown.peek(hostname) !== known });
        return route;
      },
      (error: unknown) => {
        cache.delete(key);
        const before = lastKnown.get(hostname);
        if (!before || before.isOutdated || before.route?.gate) throw new RouteUnavailable(error);
        return before.route;
      },
    );
    cache.set(key, found);
    return found;
  };
  return {
    find: findCached,
    isThere: async (proxyId) => {
      const rows = await sql`select 1 from proxies.proxies where uuid = ${proxyId} and removed_at is null`;
      return rows.length > 0;
    },
    findRule: async (tunnelId, hostname) => {
      const [rule] = await sql<{ at: number }[]>`
        select (position - 1)::int as at from tunnel_provider.configurations,
          jsonb_array_elements(config -> 'ingress') with ordinality as rules (rule, position)
        where tunnel_id = ${tunnelId} and jsonb_path_exists(rule, ${`$ ${concernsName}`}, ${sql.json({ name: hostname })})
        order by position limit 1`;
      return rule?.at ?? null;
    },
    isKnown: (hostname) => (lastKnown.peek(hostname)?.route ?? null) !== null,
    forget: (hostname) => {
      if (hostname === undefined) {
        generation += 1;
        return;
      }
      const isLookedFor = cache.delete(keyOf(hostname));
      const before = lastKnown.peek(hostname);
      // Names that nobody visits take no room.
      if (before || isLookedFor) lastKnown.set(hostname, { route: before?.route ?? null, isOutdated: true });
    },
  };
}

/** A tunnel of no proxy has no log. A mode that this version does not know records nothing. */
function modeOf({ requestLog }: RouteRow): RequestLogMode {
  return requestLogModes.find((mode) => mode === requestLog) ?? 'off';
}
