import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import postgres from 'postgres';

/*
 * What Talpa's services do, framework apart: the same queries, the same check of the session, the same calls at the same provider.
 * What is sent to the statistics and to the worker is in `durable-work.ts`.
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
  const comment = (uuid: string) => `talpa peer ${uuid}`;
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
