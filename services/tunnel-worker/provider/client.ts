import { randomBytes } from 'node:crypto';
import type { OriginOptions, ProviderFault, TunnelHealth } from '@talpa/contracts';
import { createApi, type Page, part } from '@talpa/service-kit/cloudflare-api';
import type { Settings } from '@talpa/service-kit/settings';
import { traced } from '@talpa/service-kit/telemetry/tracing';
import { confirmRecord, confirmZone, type RecordFields, type ZoneFields } from './confirm.ts';
import { ProviderError, providerError } from './errors.ts';
import { measureCall } from './meter.ts';
import type { OperationName } from './operations.ts';

export type ProviderSettings = Settings<
  'CLOUDFLARE_BASE_URL' | 'CLOUDFLARE_API_TOKEN' | 'CLOUDFLARE_ACCOUNT_ID' | 'CLOUDFLARE_ZONE_ID'
>;

/** What happens around each request to the provider. */
export interface CallHooks {
  /** Called before each request; a throw prevents it. */
  readonly acquire?: () => Promise<void>;
  /** The provider refuses all requests for so many ms. */
  readonly onRateLimited?: (retryAfterMs: number) => Promise<void>;
  /** Ends running requests. */
  readonly signal?: AbortSignal;
  /** Called with what an operator has to fix, and what works. */
  readonly problems?: {
    failed(operation: OperationName, fault: ProviderFault, detail: string): Promise<void>;
    worked(operation: OperationName): Promise<void>;
  };
}

export interface ProviderTunnel {
  readonly id: string;
  readonly name: string;
  readonly status: TunnelHealth | null;
  readonly createdAt: Date;
}

/** The CNAME that leads a public name to a tunnel. */
export interface ProviderRecord {
  readonly id: string;
  readonly hostname: string;
  readonly content: string;
  readonly comment: string;
  readonly type: string;
}
export interface FoundRecord extends ProviderRecord {
  readonly createdAt: Date;
}

/** What of a response is read; nothing of it is certain. */
interface Result<T> {
  readonly result?: T | null;
}
interface TunnelFields {
  readonly id?: string;
  readonly name?: string;
  readonly status?: TunnelHealth | null;
  readonly created_at?: string;
  readonly deleted_at?: string | null;
  readonly conns_inactive_at?: string | null;
}
interface Connector {
  readonly version?: string;
  readonly arch?: string;
  readonly run_at?: string;
  readonly conns?: readonly { readonly origin_ip?: string; readonly opened_at?: string }[];
}

/** What a tunnel is to do with the requests for one proxy. */
export interface ProxyRule {
  readonly hostname: string;
  readonly origin: string;
  readonly originOptions?: OriginOptions | undefined;
  readonly suspended?: boolean | undefined;
  readonly paused?: boolean | undefined;
  /** Further names that lead to the same origin. */
  readonly domains?: readonly string[] | undefined;
}

const timeoutMs = 10_000;
/** The most a page of tunnels may hold, and as many as an account may have: what has no order is best not paged. */
const pageSize = 1_000;
/** When a refusal for too many requests does not say. */
const defaultPauseMs = 10_000;

/**
 * The provider's calls that we need, each one request (lists: one a page), never repeated. All of them
 * throw ProviderError.
 */
export type Provider = ReturnType<typeof createProvider>;

export function createProvider(settings: ProviderSettings, hooks: CallHooks = {}) {
  const {
    CLOUDFLARE_BASE_URL: url,
    CLOUDFLARE_API_TOKEN: token,
    CLOUDFLARE_ACCOUNT_ID: accountId,
  } = settings;
  const api = createApi({ url, token, timeoutMs, signal: hooks.signal });
  const zone = `/zones/${part(settings.CLOUDFLARE_ZONE_ID)}`;
  const tunnels = `/accounts/${part(accountId)}/cfd_tunnel`;
  const records = `${zone}/dns_records`;
  const tunnelPath = (tunnelId: string) => `${tunnels}/${part(tunnelId)}`;
  const recordPath = (recordId: string) => `${records}/${part(recordId)}`;
  const readTunnel = async (tunnelId: string) =>
    present((await api<Result<TunnelFields>>('GET', tunnelPath(tunnelId))).result, 'get tunnel');
  const attempt = async <T>(operation: OperationName, call: () => PromiseLike<T>): Promise<T> => {
    await hooks.acquire?.();
    return traced(`provider: ${operation}`, { kind: 'client' }, () => measured(operation, call));
  };
  const measured = async <T>(operation: OperationName, call: () => PromiseLike<T>): Promise<T> => {
    const done = measureCall(operation);
    try {
      const response = await call();
      done(null);
      await hooks.problems?.worked(operation);
      return response;
    } catch (error) {
      const failure = providerError(error, operation);
      done(failure);
      if (!(failure instanceof ProviderError)) throw failure;
      if (failure.fault) await hooks.problems?.failed(operation, failure.fault, failure.message);
      if (failure.isRateLimited) await hooks.onRateLimited?.(failure.retryAfterMs ?? defaultPauseMs);
      throw failure;
    }
  };

  const removeRecord = (recordId: string) =>
    attempt('delete record', async () => {
      await api('DELETE', recordPath(recordId));
    });

  return {
    createTunnel: (name: string) =>
      attempt('create tunnel', async () => {
        const body = { name, config_src: 'cloudflare' };
        const { result } = await api<Result<TunnelFields>>('POST', tunnels, { body });
        return present(result?.id, 'create tunnel');
      }),

    /** All tunnels that are not deleted and whose name begins so. */
    findTunnels: async (prefix: string) => {
      const filter = { is_deleted: false, include_prefix: prefix, per_page: pageSize };
      const found = await allPages((page) =>
        attempt('list tunnels', () =>
          api<Page<TunnelFields>>('GET', tunnels, { query: { ...filter, page } }),
        ),
      );
      // A provider that does not know the filter must not make us touch others' tunnels.
      return found.flatMap(({ id, name, status, created_at }): ProviderTunnel[] =>
        id && name?.startsWith(prefix)
          ? [{ id, name, status: status ?? null, createdAt: new Date(created_at ?? Date.now()) }]
          : [],
      );
    },

    /** The tunnel's own word on its health; null when it is deleted. */
    getTunnelStatus: (tunnelId: string) =>
      attempt('get tunnel', async () => {
        const tunnel = await readTunnel(tunnelId);
        return tunnel.deleted_at ? null : present(tunnel.status, 'get tunnel');
      }),

    /** One tunnel, and since when nobody is connected to it; null when it is deleted. */
    getTunnel: (tunnelId: string) =>
      attempt(
        'get tunnel',
        async (): Promise<(ProviderTunnel & { readonly inactiveSince: string | null }) | null> => {
          const { name, status, created_at, deleted_at, conns_inactive_at } = await readTunnel(tunnelId);
          if (deleted_at) return null;
          return {
            id: tunnelId,
            name: present(name, 'get tunnel'),
            status: status ?? null,
            createdAt: new Date(created_at ?? Date.now()),
            // One that never ran carries its creation's time.
            inactiveSince: status === 'inactive' ? null : (conns_inactive_at ?? null),
          };
        },
      ),

    /** The connectors that are connected now. */
    listConnectors: (tunnelId: string) =>
      attempt('list connections', async () => {
        const path = `${tunnelPath(tunnelId)}/connections`;
        return (await api<Page<Connector>>('GET', path)).result ?? [];
      }),

    getToken: (tunnelId: string) =>
      attempt('get token', async () => {
        const { result } = await api<Result<string>>('GET', `${tunnelPath(tunnelId)}/token`);
        return present(result, 'get token');
      }),

    /** Leads each proxy's names to its origin; a suspended proxy's are a 403, a paused one's a 503, everything else is a 404. */
    putConfiguration: (tunnelId: string, proxies: readonly ProxyRule[]) =>
      attempt('put configuration', async () => {
        const config = { ingress: ingressOf(proxies) };
        await api('PUT', `${tunnelPath(tunnelId)}/configurations`, { body: { config } });
      }),

    /** A holder of the tunnel's token can open no new connection. */
    rotateSecret: (tunnelId: string) =>
      attempt('rotate secret', async () => {
        const body = { tunnel_secret: randomBytes(32).toString('base64') };
        await api('PATCH', tunnelPath(tunnelId), { body });
      }),

    dropConnections: (tunnelId: string) =>
      attempt('drop connections', async () => {
        await api('DELETE', `${tunnelPath(tunnelId)}/connections`);
      }),

    deleteTunnel: (tunnelId: string) =>
      attempt('delete tunnel', async () => {
        await api('DELETE', tunnelPath(tunnelId));
      }),

    /** Whether the account's tunnels may be read at all. */
    readAccount: () =>
      attempt('list tunnels', async () => {
        await api('GET', tunnels, { query: { is_deleted: false, per_page: 1 } });
      }),

    /** Whether the zone's records may be read at all. */
    readRecords: () =>
      attempt('list records', async () => {
        await api('GET', records, { query: { per_page: 1 } });
      }),

    /** Confirms that the zone is one in which public names of this domain can lead to the account's tunnels. */
    confirmZone: (domain: string) =>
      attempt('get zone', async () => {
        const { result } = await api<Result<ZoneFields>>('GET', zone);
        confirmZone(result ?? {}, domain, accountId);
      }),

    /** What was made although it is not what was asked for is removed again. */
    createRecord: async (hostname: string, content: string, comment: string) => {
      let made: string | undefined;
      try {
        return await attempt('create record', async () => {
          const body = cname(hostname, content, comment);
          const { result } = await api<Result<RecordFields>>('POST', records, { body });
          const record = present(result, 'create record');
          made = present(record.id, 'create record');
          confirmRecord(record, hostname, 'create record');
          return made;
        });
      } catch (error) {
        if (made) await removeRecord(made).catch(() => {});
        throw error;
      }
    },

    /** All records of that name, with that comment, or whose comment begins so. */
    findRecords: async (by: RecordFilter) => {
      const query = { ...filterOf(by), ...ordered, per_page: pageSize };
      const found = await allPages((page) =>
        attempt('list records', () => api<Page<RecordFields>>('GET', records, { query: { ...query, page } })),
      );
      return found.map(recordOf).filter((record) => isMeant(record, by));
    },

    /** Overwrites a record that is ours. */
    replaceRecord: (recordId: string, hostname: string, content: string, comment: string) =>
      attempt('replace record', async () => {
        const body = cname(hostname, content, comment);
        const { result } = await api<Result<RecordFields>>('PATCH', recordPath(recordId), { body });
        confirmRecord(result ?? {}, hostname, 'replace record');
      }),

    deleteRecord: removeRecord,
  };
}

/** With nobody but suspended ones behind a tunnel every request is a 403: its connections are as good as none. */
export function ingressOf(proxies: readonly ProxyRule[]) {
  if (isAllSuspended(proxies)) return [{ service: refusesAll }];
  const rules = proxies.flatMap(({ hostname, domains = [], ...proxy }) => {
    const rule = serviceOf(proxy);
    return [hostname, ...domains].map((name) => ({ hostname: name, ...rule }));
  });
  return [...rules, { service: 'http_status:404' }];
}
const refusesAll = 'http_status:403';
const sendsAllAway = 'http_status:503';

function serviceOf({ origin, originOptions, suspended, paused }: Omit<ProxyRule, 'hostname' | 'domains'>) {
  if (suspended) return { service: refusesAll };
  if (paused) return { service: sendsAllAway };
  return { service: origin, ...(originOptions && { originRequest: originRequestOf(originOptions) }) };
}

/** Whether nobody is let through a tunnel. */
export const isAllSuspended = (proxies: readonly ProxyRule[]): boolean =>
  proxies.length > 0 && proxies.every(({ suspended }) => suspended);

/** The options as connectors name them. */
function originRequestOf({ verifyCertificate, ...others }: OriginOptions) {
  return { ...(verifyCertificate === false && { noTLSVerify: true }), ...others };
}

function cname(name: string, content: string, comment: string) {
  return { type: 'CNAME', name, content, comment, proxied: true, ttl: 1 } as const;
}

type RecordFilter =
  | { readonly hostname: string }
  | { readonly comment: string }
  | { readonly commentPrefix: string };

function filterOf(by: RecordFilter): Record<string, string> {
  if ('hostname' in by) return { 'name.exact': by.hostname };
  return 'comment' in by ? { 'comment.exact': by.comment } : { 'comment.startswith': by.commentPrefix };
}

/** A provider that does not know a filter must not make us touch others' records. */
function isMeant(record: ProviderRecord, by: RecordFilter): boolean {
  if ('hostname' in by) return record.hostname === by.hostname;
  return 'comment' in by ? record.comment === by.comment : record.comment.startsWith(by.commentPrefix);
}

function recordOf(record: RecordFields): FoundRecord {
  return {
    id: record.id ?? '',
    hostname: record.name ?? '',
    content: record.content ?? '',
    comment: record.comment ?? '',
    type: record.type ?? '',
    createdAt: new Date(record.created_on ?? Date.now()),
  };
}

/** Pages of a list without an order may repeat what others lack. */
const ordered = { order: 'name', direction: 'asc' } as const;

/**
 * Goes through a list until it has seen as many as there are; pages may be smaller than was asked for. Each page is a
 * call.
 */
async function allPages<T extends { id?: string }>(
  list: (page: number) => PromiseLike<Page<T>>,
): Promise<T[]> {
  const all = new Map<string | undefined, T>();
  let seen = 0;
  for (let page = 1; ; page += 1) {
    const { result, result_info } = await list(page);
    const items = result ?? [];
    for (const item of items) all.set(item.id, item);
    seen += items.length;
    const total = result_info?.total_count;
    const isLast = total === undefined ? items.length < pageSize : seen >= total;
    if (items.length === 0 || isLast) return [...all.values()];
  }
}

/** A response without what it is for is no response. */
function present<T>(value: T | null | undefined, operation: OperationName): T {
  if (value) return value;
  throw new ProviderError('passing', `${operation}: the response is incomplete`);
}
