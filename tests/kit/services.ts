import { randomBytes, randomUUID } from 'node:crypto';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import {
  type Actor,
  type AuditMessage,
  busCalls,
  type ClientInfo,
  type InternalCalls,
  type InternalName,
  type Language,
  type RequestOf,
  type ResponseOf,
  type RouteName,
  type Routes,
  routes,
  type SessionActor,
} from '@talpa/contracts';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import { busHeaders } from '@talpa/service-kit/bus/message';
import type { BusUser } from '@talpa/service-kit/bus/permissions';
import { publishStored } from '@talpa/service-kit/bus/publish';
import { ask } from '@talpa/service-kit/bus/request';
import { setUpStreams } from '@talpa/service-kit/bus/setup';
import { auditSubject } from '@talpa/service-kit/bus/subjects';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { startService } from '@talpa/service-kit/service/service';
import { createAssertionSigner, createAssertionVerifier } from '@talpa/service-kit/session/assertion';
import { openSigningKeys, openVerifyingKeys, publicHalf } from '@talpa/service-kit/session/keys';
import { readSettings } from '@talpa/service-kit/settings';
import { afterAll, beforeAll } from 'vitest';
import * as auth from '../../services/auth/app.ts';
import { settingNames as authSettings } from '../../services/auth/settings.ts';
import * as billing from '../../services/billing/app.ts';
import { settingNames as billingSettings } from '../../services/billing/settings.ts';
import * as notifications from '../../services/notifications/app.ts';
import { settingNames as notificationsSettings } from '../../services/notifications/settings.ts';
import * as proxies from '../../services/proxies/app.ts';
import { settingNames as proxiesSettings } from '../../services/proxies/settings.ts';
import * as stats from '../../services/stats/app.ts';
import { settingNames as statsSettings } from '../../services/stats/settings.ts';
import { newProcess } from './lifecycle.ts';
import { newSchemas } from './schemas.ts';
import type { TestStores } from './stores.ts';
import { until } from './wait.ts';

const secret = randomBytes(32).toString('base64url');
const signAssertion = createAssertionSigner(openSigningKeys(`test:${secret}`));
const verifyAssertion = createAssertionVerifier(openVerifyingKeys(`test:${publicHalf(secret)}`));
/** What no test waits for by itself. */
const never = '3600000';

type Name = 'auth' | 'billing' | 'proxies' | 'stats' | 'notifications';
/** They republish their rows when they first see the stream of events. */
const owners: readonly Name[] = ['auth', 'billing', 'proxies'];
const start = {
  auth: (own: ReturnType<typeof newProcess>) => startService('auth', authSettings, auth.wire, own.lifecycle),
  billing: (own: ReturnType<typeof newProcess>) =>
    startService('billing', billingSettings, billing.wire, own.lifecycle),
  proxies: (own: ReturnType<typeof newProcess>) =>
    startService('proxies', proxiesSettings, proxies.wire, own.lifecycle),
  stats: (own: ReturnType<typeof newProcess>) =>
    startService('stats', statsSettings, stats.wire, own.lifecycle),
  notifications: (own: ReturnType<typeof newProcess>) =>
    startService('notifications', notificationsSettings, notifications.wire, own.lifecycle),
};

/** Who a test acts as. */
export const actorOf = (userId: number, more: Partial<SessionActor> = {}): SessionActor => ({
  ...{ userId, isAdmin: false, sessionId: randomUUID(), provedAt: Date.now() },
  ...more,
});

/**
 * Runs services in the test's own process, on real stores and one database, as their processes would: whatever is
 * broken in their code is felt here. The services that are not named are missing.
 */
export function useServices(stores: TestStores, names: readonly Name[], env: NodeJS.ProcessEnv = {}) {
  const own = newProcess();
  const connections = new Map<BusUser, Promise<NatsConnection>>();
  const receivedMessages: Msg[] = [];
  let sql: Sql | undefined;
  const connectionOf = (user: BusUser) => {
    const known = connections.get(user) ?? openBus(stores.stores.natsUrl(user), user);
    connections.set(user, known);
    return known;
  };
  beforeAll(async () => {
    await setUpStreams(stores.stores.natsUrl('operator'));
    // Proxies reads which edges live.
    const urlOf = await newSchemas(
      stores,
      ...names,
      ...(names.includes('proxies') ? (['edge'] as const) : []),
    );
    const nc = await connectionOf('operator');
    // Not all of it: what a stream delivers has the subject it was published under.
    const listen = async (connection: NatsConnection, ...subjects: string[]) => {
      for (const what of subjects)
        connection.subscribe(`${what}.>`, {
          callback: (_error, message) => void receivedMessages.push(message),
        });
      await connection.flush();
    };
    await listen(streamsOf(nc), 'event', 'command', 'audit', 'measured');
    await listen(nc, 'applied', 'user.changed', 'preferences', 'settled');
    const [first] = names;
    if (first) sql = openDatabase(adminOf(stores, urlOf(first)), 2);
    for (const name of names) {
      const environment = {
        ...{ DATABASE_URL: urlOf(name), NATS_URL: stores.stores.natsUrl(name) },
        ...{ REDIS_URL: stores.stores.redisUrl(name), SESSION_KEYS: `test:${secret}` },
        ...{ FACTOR_KEYS: `test:${secret}`, CHANNEL_KEYS: `test:${secret}` },
        ...{ SESSION_PUBLIC_KEYS: `test:${publicHalf(secret)}`, RESERVED_NAMES: 'nobody-else' },
        REGISTRATION_PROOF_AFTER: '100000',
        ...{ TUNNEL_DOMAIN: 'tunnel.localhost', TUNNEL_PUBLIC_PORT: '8081', SWEEP_INTERVAL_MS: never },
        ...env,
      };
      const settings: typeof readSettings = (wanted) => readSettings(wanted, environment);
      await start[name]({ ...own, lifecycle: { ...own.lifecycle, settings } });
    }
    // Without this a test could see the snapshot of its first row twice: once from its call and once republished.
    for (const name of names.filter((one) => owners.includes(one)))
      await until(`${name} to have republished its rows`, async () => {
        const db = openSql();
        return (await db`select 1 from ${db(name)}.stream_seen`).length > 0;
      });
  });
  afterAll(async () => {
    for (const connection of connections.values()) await (await connection).close();
    await own.stop();
    await sql?.end({ timeout: 5 });
  });
  const send = async (
    subject: string,
    from: BusUser,
    actor: Actor | null,
    input: unknown,
    {
      key,
      client = testClient,
      language = 'de',
    }: {
      readonly key?: string | undefined;
      readonly client?: ClientInfo | undefined;
      readonly language?: Language | undefined;
    } = {},
  ) => {
    const body = { assertion: actor && signAssertion(actor), client, input };
    const info = { requestId: randomUUID(), language, deadlineAt: Date.now() + 12_000 };
    return ask(await connectionOf(from), subject, body, { ...info, ...(key ? { idempotencyKey: key } : {}) });
  };
  const askFirst = async <N extends InternalName>(name: N, input: RequestOf<InternalCalls[N]>) => {
    const from = busCalls.find(({ subject }) => subject === name)?.from[0] as BusUser;
    return (await send(name, from, null, input)).json<ResponseOf<InternalCalls[N]>>();
  };
  const openSql = () => {
    if (!sql) throw new Error('the database is not open');
    return sql;
  };
  const receivedOf = <T = unknown>(subject: string): T[] =>
    receivedMessages
      .filter((one) => one.subject === subject)
      .map((one) => (one.data.length ? one.json<T>() : null) as T);
  /** The service has relayed all that it committed before, and this test has received it. */
  const isRelayed = async (service: Name) => {
    const db = openSql();
    if ((await db`select 1 from ${db(service)}.outbox limit 1`).length > 0) return false;
    const nc = await connectionOf('operator');
    await Promise.all([nc.flush(), streamsOf(nc).flush()]);
    return true;
  };
  return {
    /** All schemas, as a superuser. */
    get sql() {
      return openSql();
    },
    /** The keys that encrypt secrets. */
    keyRing: `test:${secret}`,
    /** A connection with the rights of one of NATS's users. */
    connectionOf,
    /** The messages received under this subject, the oldest first. */
    received: receivedOf,
    /** All rows of the activity log that a service wrote about a user, once there is one. */
    audited: (service: Name, userId: number, action?: string): Promise<AuditMessage[]> =>
      until(`${action ?? 'a row'} in the log`, async () => {
        // Without this a test would see the first row of several, and not the one too many.
        if (!(await isRelayed(service))) return false;
        const rows = receivedOf<AuditMessage>(auditSubject(service)).filter(
          (row) => row.subjectUserId === userId && (!action || row.action === action),
        );
        return rows.length > 0 && rows;
      }),
    /** Publishes to all subscribers, as the services that are missing would. */
    publish: async (subject: string, payload: unknown = null) => {
      const nc = await connectionOf('operator');
      nc.publish(subject, JSON.stringify(payload));
      await nc.flush();
    },
    /** The same, to a stream. */
    publishStored: async (subject: string, payload: object) =>
      publishStored(await connectionOf('operator'), subject, payload),
    /** What a route answers, as the gateway would ask for it. @throws AppError */
    call: async <N extends RouteName>(
      route: N,
      actor: Actor | null,
      input: RequestOf<Routes[N]>,
      key?: string,
      client?: ClientInfo,
      language?: Language,
    ) => {
      const reply = await send(routes[route].procedure, 'gateway', actor, input, { key, client, language });
      return reply.json<ResponseOf<Routes[N]>>();
    },
    /** The same, with what the call causes beside its response. */
    effects: async <N extends RouteName>(
      route: N,
      actor: Actor | null,
      input: RequestOf<Routes[N]>,
      client?: ClientInfo,
    ) => {
      const { headers } = await send(routes[route].procedure, 'gateway', actor, input, { client });
      const effect = (name: string) => headers?.get(name) || null;
      return {
        session: effect(busHeaders.session),
        freshUntil: effect(busHeaders.freshUntil),
        next: effect(busHeaders.nextPage),
        total: effect(busHeaders.total),
      };
    },
    /** A page of a list, and where the next one begins; null after the last. */
    page: async (route: RouteName, actor: Actor, input: object) => {
      const reply = await send(routes[route].procedure, 'gateway', actor, input);
      return { body: reply.json<unknown>(), next: reply.headers?.get(busHeaders.nextPage) || null };
    },
    /** What an internal call answers to the first who may make it. @throws AppError */
    ask: askFirst,
    /** Who an API key stands for, as auth signs it. @throws AppError for one that does not count */
    whoActs: async (key: string, address = '192.0.2.1'): Promise<Actor | null> => {
      const [, id, secret = ''] = key.split('_');
      const response = await askFirst('auth.authenticateApiKey', { id: Number(id), secret, address });
      return verifyAssertion(response.assertion);
    },
    /** Who a session's cookie stands for, as auth signs it; null when it has ended. */
    whoHas: async (token: string | null): Promise<SessionActor | null> => {
      const response = await askFirst('auth.getSession', { token: token ?? '', use: true });
      const actor = response && verifyAssertion(response.assertion);
      if (actor?.apiKey) throw new Error('auth signed an API key where it was asked about a session');
      return actor;
    },
  };
}

const testClient: ClientInfo = { address: '192.0.2.1', userAgent: 'test' };

/** The URL of the same database for the superuser. */
function adminOf(stores: TestStores, url: string): string {
  const admin = new URL(stores.stores.adminUrl);
  admin.pathname = new URL(url).pathname;
  return admin.href;
}
