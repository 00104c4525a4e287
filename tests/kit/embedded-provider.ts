import { randomBytes, randomUUID } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { jsonOf, type Sql } from '@talpa/service-kit/database/sql';
import { readKeyRing } from '@talpa/service-kit/key-ring';
import { createLog } from '@talpa/service-kit/log';
import Cloudflare from 'cloudflare';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { buildApp } from '../../services/tunnel-provider/app.ts';
import { newSchemas } from './schemas.ts';
import type { TestStores } from './stores.ts';
import { stopped } from './wait.ts';

/** An embedded provider with fault injection on a database of its own. */
export interface TestProvider {
  readonly settings: {
    readonly CLOUDFLARE_BASE_URL: string;
    readonly CLOUDFLARE_API_TOKEN: string;
    readonly CLOUDFLARE_ACCOUNT_ID: string;
    readonly CLOUDFLARE_ZONE_ID: string;
  };
  /** Its database, as the API's role. */
  readonly sql: Sql;
  /** The same, as the edge's role; the provider's tables are found as `tunnel_provider.<table>`. */
  readonly edgeSql: Sql;
  /** The same as a URL. */
  readonly edgeDatabaseUrl: string;
  /**
   * Leads a name to a tunnel as the worker does; the proxy is made if it is missing.
   * @returns the record's id
   */
  lead(hostname: string, tunnelId: string, proxyId?: string): Promise<string>;
  /** Stores who may visit a proxy, as the service of proxies does; the proxy is made if it is missing. */
  setPolicy(
    proxyId: string,
    hostname: string,
    policy: object,
    hashes?: { readonly pin?: string; readonly password?: string },
  ): Promise<void>;
  /** Its policies and visits, as the role of proxies. */
  readonly proxiesSql: Sql;
  /** The same as the role that owns them. */
  readonly proxiesOwnerSql: Sql;
  /** The official SDK's whole client, which repeats nothing by itself. */
  client(token?: string): Cloudflare;
  /** Any request, with the right token; gives status and body. */
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Envelope }>;
  /** Sets a fault: see services/tunnel-provider/fault-injection/faults.ts. */
  fault(fault: object): Promise<void>;
  /** Every operation called since the test began, with its count. */
  calls(): Promise<Record<string, number>>;
}

interface Envelope {
  readonly success: boolean;
  readonly result: unknown;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  readonly result_info?: Record<string, number>;
}

/** Starts a provider before a file's tests; faults, counts and data are cleared before each test. */
export function useProvider(stores: TestStores): TestProvider {
  const token = randomBytes(16).toString('hex');
  const keys = readKeyRing(`k1:${randomBytes(32).toString('base64url')}`);
  let url = '';
  let edgeDatabaseUrl = '';
  let proxiesSql: Sql | undefined;
  let proxiesOwnerSql: Sql | undefined;
  let sql: Sql | undefined;
  let edgeSql: Sql | undefined;
  let stop = async () => {};
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Envelope };
  };
  const makeProxy = (proxyId: string, hostname: string) => started(proxiesSql)`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    select ${proxyId}, 1, 'Server', '127.0.0.1', 1, ${hostname}, 80, 'active'
    where not exists (select 1 from proxies where uuid = ${proxyId})`;
  const started = (pool: Sql | undefined) => {
    if (!pool) throw new Error('the provider has not been started');
    return pool;
  };
  beforeAll(async () => {
    const urlOf = await newSchemas(stores, 'tunnel-provider', 'edge', 'proxies');
    const openedForProxies = openDatabase(urlOf('proxies'), 2);
    proxiesSql = openedForProxies;
    const openedForOwner = openDatabase(urlOf('proxies', 'owner'), 1);
    proxiesOwnerSql = openedForOwner;
    edgeDatabaseUrl = urlOf('edge');
    const opened = openDatabase(urlOf('tunnel-provider'), 8);
    const openedForEdge = openDatabase(edgeDatabaseUrl, 8);
    sql = opened;
    edgeSql = openedForEdge;
    const context = { sql: opened, keys, accountId: 'account1', zoneId: 'zone1' };
    const app = buildApp(context, {
      token,
      faultInjection: true,
      log: createLog('tunnel-provider', 'fatal'),
    });
    url = await app.listen({ host: '127.0.0.1', port: 0 });
    stop = async () => {
      await stopped('the provider', app.close());
      await opened.end({ timeout: 5 });
      await openedForEdge.end({ timeout: 5 });
      await openedForProxies.end({ timeout: 5 });
      await openedForOwner.end({ timeout: 5 });
    };
  });
  beforeEach(async () => {
    await send('DELETE', '/fault-injection/faults');
    for (const table of ['connections', 'configurations', 'tunnels', 'dns_records'])
      await started(sql).unsafe(`delete from ${table}`);
    await send('DELETE', '/fault-injection/calls');
  });
  afterAll(() => stop());
  return {
    get settings() {
      return {
        CLOUDFLARE_BASE_URL: `${url}/client/v4`,
        CLOUDFLARE_API_TOKEN: token,
        CLOUDFLARE_ACCOUNT_ID: 'account1',
        CLOUDFLARE_ZONE_ID: 'zone1',
      };
    },
    get sql() {
      return started(sql);
    },
    get edgeSql() {
      return started(edgeSql);
    },
    get proxiesSql() {
      return started(proxiesSql);
    },
    get proxiesOwnerSql() {
      return started(proxiesOwnerSql);
    },
    get edgeDatabaseUrl() {
      return edgeDatabaseUrl;
    },
    lead: async (hostname, tunnelId, proxyId = randomUUID()) => {
      await makeProxy(proxyId, hostname);
      const record = {
        type: 'CNAME',
        name: hostname,
        content: `${tunnelId}.cfargotunnel.com`,
        proxied: true,
      };
      const path = '/client/v4/zones/zone1/dns_records';
      const { body } = await send('POST', path, { ...record, comment: `talpa x ${proxyId}` });
      return (body.result as { id: string }).id;
    },
    setPolicy: async (proxyId, hostname, stored, { pin = null, password = null } = {}) => {
      const { emails = [], ...policy } = stored as { readonly emails?: string[] };
      const proxies = started(proxiesSql);
      await makeProxy(proxyId, hostname);
      await proxies`
        insert into hostnames (hostname, proxy_uuid) values (${hostname}, ${proxyId}) on conflict do nothing`;
      await proxies`
        insert into access_policies (proxy_uuid, policy, emails, pin_hash, password_hash)
        values (${proxyId}, ${jsonOf(proxies, policy)}, ${emails}, ${pin}, ${password})
        on conflict (proxy_uuid) do update set policy = excluded.policy, emails = excluded.emails, pin_hash = excluded.pin_hash,
          password_hash = excluded.password_hash, version = access_policies.version + 1`;
    },
    client: (other) =>
      new Cloudflare({
        baseURL: `${url}/client/v4`,
        apiToken: other ?? token,
        apiKey: null,
        apiEmail: null,
        userServiceKey: null,
        maxRetries: 0,
      }),
    send,
    fault: async (fault) => {
      const { status } = await send('POST', '/fault-injection/faults', fault);
      if (status !== 200) throw new Error('the fault was not accepted');
    },
    calls: async () => (await send('GET', '/fault-injection/calls')).body.result as Record<string, number>,
  };
}
