import { createSecretKey, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import postgres from 'postgres';

/*
 * What every peer does, framework apart: the same queries as Talpa's services, the same check of the session,
 * the same calls at the same provider, a row in the audit trail and the totals kept. Less than Talpa in one thing:
 * what is sent to the statistics and to the worker is sent once, and lost when a process dies meanwhile
 * (`durable-work.ts` does not lose it).
 */

/** Who asks. */
export interface Actor {
  readonly userId: number;
  readonly isAdmin: boolean;
}

export interface ProxyInput {
  readonly serverName: string;
  readonly serverIP: string;
  readonly adminPort: number;
  readonly customUrl: string | null;
}

/** A refusal with the status of its response. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

/** A pool as Talpa's services have it: eight connections each. */
export const openDatabase = () =>
  postgres(setting('BENCH_DATABASE'), {
    ...(process.env.BENCH_DATABASE_SOCKET ? { host: process.env.BENCH_DATABASE_SOCKET } : {}),
    max: 8,
    transform: { ...postgres.camel, undefined: null },
    types: {
      bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: Number },
    },
  });
export type Sql = ReturnType<typeof openDatabase>;

export const natsUrl = () => setting('BENCH_NATS');

const key = createSecretKey(Buffer.from(setting('BENCH_KEY'), 'base64'));

/** The session's id a request's cookie names. @throws Refusal 401 */
export function sessionIdOf(cookieHeader: string | undefined): string {
  const text = /(?:^|; )session=([^;]+)/.exec(cookieHeader ?? '')?.[1];
  if (!text) throw new Refusal(401, 'not signed in');
  try {
    const payload = jwt.verify(text, key, { algorithms: ['HS256'], issuer: 'talpa' });
    if (typeof payload === 'object' && typeof payload.sid === 'string') return payload.sid;
  } catch {
    // Said below.
  }
  throw new Refusal(401, 'not signed in');
}

/** `BENCH_SESSION=cached`: a response is kept for ten seconds, whatever changes meanwhile. */
export function cachingSessions(ask: (sessionId: string) => Promise<Actor | null>) {
  if (process.env.BENCH_SESSION !== 'cached') return ask;
  const known = new Map<string, { readonly actor: Actor | null; readonly until: number }>();
  return async (sessionId: string) => {
    const cached = known.get(sessionId);
    if (cached && cached.until > Date.now()) return cached.actor;
    const actor = await ask(sessionId);
    known.set(sessionId, { actor, until: Date.now() + 10_000 });
    return actor;
  };
}

/** What auth does. */
export const authWork = (sql: Sql) => ({
  getSession: async (sessionId: string): Promise<Actor | null> => {
    const [row] = await sql<Actor[]>`
      select users.id as user_id, is_admin and suspended_at is null as is_admin, suspension_reason,
        last_used_at < now() - interval '1 minute' as notice_use
      from sessions join users on users.id = sessions.user_id
      where sessions.id = ${sessionId} and expires_at > now() and last_used_at > now() - interval '7 days'`;
    return row ? { userId: row.userId, isAdmin: row.isAdmin } : null;
  },
  getUser: async (userId: number) => {
    const [row] = await sql`select * from users where id = ${userId}`;
    if (!row) throw new Refusal(401, 'not signed in');
    const { id, username, isAdmin, proxyLimit, subscriptionTier, subscriptionExpiry } = row;
    return { id, username, isAdmin, proxyLimit, subscriptionTier, subscriptionExpiry, suspension: null };
  },
});

/** What the worker does: the same calls as Talpa's for a proxy that is new, and for one that goes. */
export function providerWork() {
  const base = setting('BENCH_PROVIDER');
  const account = setting('BENCH_ACCOUNT');
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${setting('BENCH_TOKEN')}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = (await reply.json()) as { success?: boolean; result: { id: string } };
    // The response to the deletion of a DNS record has no `success`.
    if (!reply.ok || response.success === false)
      throw new Error(`${method} ${path}: ${JSON.stringify(response)}`);
    return response.result;
  };
  const comment = (uuid: string) => `peer ${uuid}`;
  const tunnels = `/accounts/${account}/cfd_tunnel`;
  const records = `/zones/${account}/dns_records`;
  return {
    create: async ({ uuid, hostname, origin }: { uuid: string; hostname: string; origin: string }) => {
      const tunnel = await call('POST', tunnels, { name: `peer-${uuid}`, config_src: 'cloudflare' });
      await call('PUT', `${tunnels}/${tunnel.id}/configurations`, {
        config: { ingress: [{ hostname, service: origin }, { service: 'http_status:404' }] },
      });
      const record = await call('POST', records, {
        type: 'CNAME',
        name: hostname,
        content: `${tunnel.id}.cfargotunnel.com`,
        comment: comment(uuid),
        proxied: true,
        ttl: 1,
      });
      return { tunnelId: tunnel.id, dnsRecordId: record.id, hostname };
    },
    remove: async ({
      uuid,
      tunnelId,
      dnsRecordId,
    }: {
      uuid: string;
      tunnelId: string;
      dnsRecordId: string;
    }) => {
      await call('GET', `${records}?comment.exact=${encodeURIComponent(comment(uuid))}`);
      await call('DELETE', `${records}/${dnsRecordId}`);
      await call('DELETE', `${tunnels}/${tunnelId}`);
    },
  };
}
export type ProviderWork = ReturnType<typeof providerWork>;
/** What was made at the provider. */
export type Applied = Awaited<ReturnType<ProviderWork['create']>>;

export interface ProxyRow {
  readonly id: number;
  readonly uuid: string;
  readonly userId: number;
  readonly serverName: string;
  readonly serverIp: string;
  readonly adminPort: number;
  readonly customUrl: string | null;
  readonly hostname: string;
  readonly proxyPort: number;
  readonly createdAt: Date;
  readonly removedAt: Date | null;
  readonly version: number;
  readonly status: string;
  readonly applied: Applied | null;
}

export const publicProxy = (row: ProxyRow) => ({
  id: row.id,
  userId: row.userId,
  serverName: row.serverName,
  serverIP: row.serverIp,
  adminPort: row.adminPort,
  proxyPort: row.proxyPort,
  customUrl: row.customUrl,
  createdAt: row.createdAt.toISOString(),
  status: row.status,
  statusReason: null,
  changePending: false,
  tunnelHealth: null,
  cfTunnelId: row.applied?.tunnelId ?? null,
  cfDnsRecordId: row.applied?.dnsRecordId ?? null,
  cfDomain: row.applied?.hostname ?? row.hostname,
  suspension: null,
});

/** What the statistics receive about a change. */
export interface Change {
  readonly action: 'proxy.create' | 'proxy.delete';
  readonly userId: number;
  readonly proxyId: number;
  readonly name: string;
}

/** What the statistics do: a row in the audit trail, and the totals. */
export const statsWork = (sql: Sql) => ({
  keep: async ({ action, userId, proxyId, name }: Change) => {
    await sql.begin(async (tx) => {
      await tx`
        insert into audit (action, user_id, proxy_id, label) values (${action}, ${userId}, ${proxyId}, ${name})`;
      await tx`
        update totals set value = value + ${action === 'proxy.create' ? 1 : -1} where name = 'proxies'`;
    });
  },
});

/** What proxies does; tunnels are made and removed, and the statistics notified, by the functions that are passed in. */
export const proxiesWork = (
  sql: Sql,
  provider: ProviderWork,
  publish: (change: Change) => Promise<unknown>,
) => ({
  list: async (userId: number) => {
    const rows = await sql<ProxyRow[]>`
      select * from proxies where removed_at is null and user_id = ${userId} order by id limit 1001`;
    return rows.slice(0, 1_000).map(publicProxy);
  },

  create: async (userId: number, input: ProxyInput) => {
    const uuid = randomUUID();
    const label = input.serverName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const hostname = `${label}.peer.example`;
    await sql.begin(async (tx) => {
      const [quota] = await tx`select * from quotas where user_id = ${userId} for update`;
      const [counted] = await tx`
        select count(*) as count from proxies where user_id = ${userId} and removed_at is null`;
      if (counted?.count >= (quota?.proxyLimit ?? 0)) throw new Refusal(403, 'limit reached');
      await tx`
        insert into proxies (uuid, user_id, server_name, server_ip, admin_port, custom_url, hostname, proxy_port, status)
        values (${uuid}, ${userId}, ${input.serverName}, ${input.serverIP}, ${input.adminPort},
          ${input.customUrl}, ${hostname}, 8081, 'pending')`;
      const { count } = await tx`
        insert into hostnames (hostname, proxy_uuid) values (${hostname}, ${uuid}) on conflict do nothing`;
      if (count === 0) throw new Refusal(409, 'taken');
    });
    const applied = await provider.create({
      uuid,
      hostname,
      origin: `http://${input.serverIP}:${input.adminPort}`,
    });
    const [row] = await sql<ProxyRow[]>`
      update proxies set status = 'inactive', applied = ${sql.json({ ...applied })} where uuid = ${uuid} returning *`;
    if (!row) throw new Error('the row is gone');
    await publish({ action: 'proxy.create', userId, proxyId: row.id, name: row.serverName });
    return { proxy: publicProxy(row), message: `Proxy „${row.serverName}“ wurde angelegt.` };
  },

  /** Hides the row and answers; its tunnel goes afterwards. */
  remove: async (userId: number, id: number) => {
    const [row] = await sql<ProxyRow[]>`
      update proxies set removed_at = now() where id = ${id} and user_id = ${userId} and removed_at is null
      returning *`;
    if (!row) throw new Refusal(404, 'not found');
    await publish({ action: 'proxy.delete', userId, proxyId: row.id, name: row.serverName });
    void (async () => {
      if (row.applied) await provider.remove({ uuid: row.uuid, ...row.applied });
      await sql`delete from hostnames where proxy_uuid = ${row.uuid}`;
    })().catch((error) => console.error(error));
  },
});
