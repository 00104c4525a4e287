import type { Settings } from '@talpa/service-kit/settings';
import { BaseRecords } from 'cloudflare/resources/dns/records';
import { Cloudflared } from 'cloudflare/resources/zero-trust/tunnels/cloudflared/cloudflared';
import { createClient } from 'cloudflare/tree-shakable';
import { ProviderError, providerError } from './errors.ts';
import { type CallHooks, createFetch } from './fetch.ts';

export type ProviderSettings = Settings<
  'CLOUDFLARE_BASE_URL' | 'CLOUDFLARE_API_TOKEN' | 'CLOUDFLARE_ACCOUNT_ID' | 'CLOUDFLARE_ZONE_ID'
>;

export interface ProviderTunnel {
  readonly id: string;
  readonly name: string;
}

/** The CNAME that leads a public name to a tunnel. */
export interface ProviderRecord {
  readonly id: string;
  readonly hostname: string;
  readonly content: string;
  readonly comment: string;
  readonly type: string;
}

/** What a tunnel is to do with the requests that reach it. */
export interface Ingress {
  readonly hostname: string;
  readonly origin: string;
  readonly suspended?: boolean | undefined;
}

const timeoutMs = 10_000;
const pageSize = 100;

/**
 * The provider's calls that we need, each one request (lists: one a page), never repeated. All of them
 * throw ProviderError.
 */
export type Provider = ReturnType<typeof createProvider>;

export function createProvider(settings: ProviderSettings, hooks: CallHooks = {}) {
  const client = createClient({
    resources: [Cloudflared, BaseRecords],
    baseURL: settings.CLOUDFLARE_BASE_URL,
    apiToken: settings.CLOUDFLARE_API_TOKEN,
    // Left out they would be taken from the environment.
    apiKey: null,
    apiEmail: null,
    userServiceKey: null,
    logLevel: 'off',
    // A repeated create would be a conflict with itself: repeating is converge's decision.
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: createFetch(hooks),
  });
  const account = { account_id: settings.CLOUDFLARE_ACCOUNT_ID };
  const zone = { zone_id: settings.CLOUDFLARE_ZONE_ID };
  const tunnels = client.zeroTrust.tunnels.cloudflared;
  const { records } = client.dns;

  return {
    createTunnel: (name: string) =>
      attempt('create tunnel', async () => {
        const tunnel = await tunnels.create({ ...account, name, config_src: 'cloudflare' });
        return present(tunnel.id, 'create tunnel');
      }),

    /** All tunnels that are not deleted and whose name begins so. */
    findTunnels: (prefix: string) =>
      attempt('list tunnels', async () => {
        const list = (page: number) =>
          tunnels.list({ ...account, is_deleted: false, include_prefix: prefix, page, per_page: pageSize });
        const found = await allPages(list);
        // A provider that does not know the filter must not make us touch others' tunnels.
        return found.flatMap(({ id, name }): ProviderTunnel[] =>
          id && name?.startsWith(prefix) ? [{ id, name }] : [],
        );
      }),

    /** The tunnel's own word on its health; null when it is deleted. */
    getTunnelStatus: (tunnelId: string) =>
      attempt('get tunnel', async () => {
        const tunnel = await tunnels.get(tunnelId, account);
        return tunnel.deleted_at ? null : present(tunnel.status, 'get tunnel');
      }),

    getToken: (tunnelId: string) =>
      attempt('get token', async () => present(await tunnels.token.get(tunnelId, account), 'get token')),

    /** Leads one public name to one origin, everything else is a 404; suspended, every request is a 403. */
    putConfiguration: (tunnelId: string, { hostname, origin, suspended }: Ingress) =>
      attempt('put configuration', async () => {
        const all = (status: number) =>
          ({ service: `http_status:${status}` }) as { hostname: string; service: string };
        const ingress = suspended ? [all(403)] : [{ hostname, service: origin }, all(404)];
        await tunnels.configurations.update(tunnelId, { ...account, config: { ingress } });
      }),

    dropConnections: (tunnelId: string) =>
      attempt('drop connections', async () => {
        await tunnels.connections.delete(tunnelId, account);
      }),

    deleteTunnel: (tunnelId: string) =>
      attempt('delete tunnel', async () => {
        await tunnels.delete(tunnelId, account);
      }),

    createRecord: (hostname: string, content: string, comment: string) =>
      attempt('create record', async () => {
        const record = await records.create({ ...zone, ...cname(hostname, content, comment) });
        return present(record.id, 'create record');
      }),

    /** All records of that name, or with that comment. */
    findRecords: (by: { readonly hostname: string } | { readonly comment: string }) =>
      attempt('list records', async () => {
        const filter =
          'hostname' in by ? { name: { exact: by.hostname } } : { comment: { exact: by.comment } };
        const found = await allPages((page) =>
          records.list({ ...zone, ...filter, page, per_page: pageSize }),
        );
        return found
          .map(
            (record): ProviderRecord => ({
              id: record.id,
              hostname: record.name,
              content: record.content ?? '',
              comment: record.comment ?? '',
              type: record.type,
            }),
          )
          .filter((record) =>
            'hostname' in by ? record.hostname === by.hostname : record.comment === by.comment,
          );
      }),

    /** Overwrites a record that is ours. */
    replaceRecord: (recordId: string, hostname: string, content: string, comment: string) =>
      attempt('replace record', async () => {
        await records.edit(recordId, { ...zone, ...cname(hostname, content, comment) });
      }),

    deleteRecord: (recordId: string) =>
      attempt('delete record', async () => {
        await records.delete(recordId, zone);
      }),
  };
}

function cname(name: string, content: string, comment: string) {
  return { type: 'CNAME', name, content, comment, proxied: true, ttl: 1 } as const;
}

async function attempt<T>(operation: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw providerError(error, operation);
  }
}

/** Goes through a list until a page is not full; the SDK's own loop asks for one page more. */
async function allPages<T>(list: (page: number) => PromiseLike<{ result: T[] }>): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const { result } = await list(page);
    all.push(...result);
    if (result.length < pageSize) return all;
  }
}

/** An answer without what it is for is no answer. */
function present<T>(value: T | null | undefined, operation: string): T {
  if (value) return value;
  throw new ProviderError('passing', `${operation}: the answer is incomplete`);
}
