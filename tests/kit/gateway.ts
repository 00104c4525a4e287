import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import type { Actor, SessionActor } from '@talpa/contracts';
import { connectBus, isConnected, openBus } from '@talpa/service-kit/bus/connect';
import type { CallBody } from '@talpa/service-kit/bus/message';
import { rpcSubjects } from '@talpa/service-kit/bus/subjects';
import {
  type CacheOwner,
  type CacheVersions,
  createCacheVersions,
  endingSessions,
} from '@talpa/service-kit/cache-versions';
import { connectRedis } from '@talpa/service-kit/redis/connect';
import type { RedisUser } from '@talpa/service-kit/redis/users';
import { createAssertionSigner, createAssertionVerifier } from '@talpa/service-kit/session/assertion';
import { openSigningKeys, openVerifyingKeys, publicHalf } from '@talpa/service-kit/session/keys';
import { signSession, verifySession } from '@talpa/service-kit/session/token';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { createGateway, type GatewayParts } from '../../gateway/app.ts';
import { createLimits, type LimitSettings } from '../../gateway/limits/limits.ts';
import { liveDefaults } from '../../gateway/live/live.ts';
import type { Stores } from '../../launcher/stores/stores.ts';
import { newProcess } from './lifecycle.ts';

/** A call as it reached the service's place. */
export interface ReceivedCall extends CallBody {
  /** Who acts, by the assertion that came with it. */
  readonly actor: Actor | null;
  readonly headers: Readonly<Record<string, string>>;
}
/** What the test answers in a service's place: bytes and headers, or nothing at all. */
export type Played = { readonly body: string; readonly headers?: Record<string, string> } | null;

const secret = randomBytes(32).toString('base64url');
const signingKeys = openSigningKeys(`test:${secret}`);
/** What verifies the sessions that tests sign. */
export const sessionKeys = openVerifyingKeys(`test:${publicHalf(secret)}`);
const signAssertion = createAssertionSigner(signingKeys);
const verifyAssertion = createAssertionVerifier(sessionKeys);
export const roomy: LimitSettings = {
  REQUEST_LIMIT_PER_MINUTE: 1_000_000,
  MUTATION_LIMIT_PER_MINUTE: 1_000_000,
  SIGN_IN_LIMIT_PER_MINUTE: 1_000_000,
  SIGN_IN_NAME_LIMIT_PER_MINUTE: 1_000_000,
  REGISTER_LIMIT_PER_MINUTE: 1_000_000,
  PASSWORD_RESET_LIMIT_PER_HOUR: 1_000_000,
  SUBDOMAIN_CHECK_LIMIT_PER_MINUTE: 1_000_000,
  TUNNEL_TOKEN_LIMIT_PER_MINUTE: 1_000_000,
  TUNNEL_STATUS_LIMIT_PER_MINUTE: 1_000_000,
  PROXY_HEALTH_LIMIT_PER_MINUTE: 1_000_000,
  MEMBER_INVITATION_LIMIT_PER_HOUR: 1_000_000,
  RECREATE_LIMIT_PER_MINUTE: 1_000_000,
};

/** A session's JWT as auth would sign it. */
export function signedSession(actor: Pick<SessionActor, 'userId' | 'sessionId'>): string {
  return signSession(signingKeys, { ...actor, expiresAt: new Date(Date.now() + 3_600_000) });
}

/** What auth would answer about a session. */
export const signedAssertion = (actor: Actor | null): { readonly body: string } => ({
  body: JSON.stringify(actor && { assertion: signAssertion(actor) }),
});

/** The session that `auth.getSession` was asked about. */
export function askedSession({ input }: ReceivedCall): string {
  return verifySession(sessionKeys, (input as { token: string }).token)?.sessionId ?? '';
}

/**
 * Real gateways on real NATS and Redis. The test plays the services, for what they cannot be brought to:
 * silence, garbage, a response held back while somebody writes.
 */
export function useGateways(stores: () => Stores) {
  const { lifecycle, stop } = newProcess();
  const readyRedis = async (user: RedisUser) => {
    const redis = connectRedis(stores().redisUrl(user), lifecycle);
    await new Promise((resolve) => redis.once('ready', resolve));
    return redis;
  };
  let cacheVersions: Promise<CacheVersions> | undefined;
  let operator: ReturnType<typeof openBus> | undefined;
  const bus = () => {
    operator ??= openBus(stores().natsUrl('operator'), 'operator').then((nc) => {
      lifecycle.onStop('bus', () => nc.close());
      return nc;
    });
    return operator;
  };
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'talpa-gateway-'));
    writeFileSync(join(folder, 'index.html'), '<script nonce="__CSP_NONCE__"></script>');
    writeFileSync(join(folder, 'mf-manifest.json'), '{}');
  });
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    /** Starts a gateway as its process would. */
    start: async (
      limits: LimitSettings = roomy,
      more: Partial<GatewayParts> = {},
    ): Promise<FastifyInstance> => {
      const nc = await connectBus(stores().natsUrl('gateway'), 'gateway', lifecycle);
      const redis = await readyRedis('gateway');
      const app = await createGateway({
        nc,
        cacheVersions: createCacheVersions(redis, lifecycle),
        limits: createLimits(limits, redis),
        connections: { ofAddress: 1_000, inAll: 16_000 },
        sessionKeys,
        panel: { shell: folder, user: folder, admin: folder },
        panelConfig: {
          version: '1.2.3',
          tunnelDomain: 'tunnel.localhost',
          tunnelProvider: 'embedded',
          edge: null,
          defaultLanguage: 'de',
          registration: 'open',
          planChanges: 'self',
          emailRequired: false,
          sendsEmail: false,
          gamePorts: false,
          protectedProxies: false,
          requestLogDays: 30,
          showTotals: true,
          secondFactor: 'optional',
          passkeyHost: null,
          links: {},
        },
        publicUrl: undefined,
        trustProxy: false,
        ready: () => isConnected(nc) || 'NATS is gone',
        live: { ...liveDefaults, perUser: 20, inAll: 1_000 },
        log: lifecycle.log,
        ...more,
      });
      lifecycle.onStop('gateway', () => app.close());
      return app;
    },
    /** Answers a call in its service's place, and remembers what came. Ends the part played before. */
    play: createPlayer(bus),
    /** Publishes on the bus as a user that may publish it. */
    publish: async (subject: string, data: unknown = null): Promise<void> => {
      const nc = await bus();
      nc.publish(subject, JSON.stringify(data));
      await nc.flush();
    },
    /** Invalidates the cache as auth does when it has written. */
    invalidate: async (owners: readonly CacheOwner[]): Promise<void> => {
      cacheVersions ??= readyRedis('auth').then((redis) =>
        endingSessions(createCacheVersions(redis, lifecycle)),
      );
      await (await cacheVersions).invalidate(owners);
    },
  };
}

type ResponseBody = (call: ReceivedCall) => Played | Promise<Played>;

function createPlayer(bus: () => ReturnType<typeof openBus>) {
  const ends = new Map<string, () => void>();
  return async (call: string, response: ResponseBody): Promise<ReceivedCall[]> => {
    const nc = await bus();
    ends.get(call)?.();
    const received: ReceivedCall[] = [];
    const reply = async (message: Msg) => {
      const body = message.json<CallBody>();
      const actor = body.assertion === null ? null : verifyAssertion(body.assertion);
      const given = { ...body, actor, headers: plain(message.headers) };
      received.push(given);
      const played = await response(given);
      if (!played) return;
      const hdrs = headers();
      for (const [name, value] of Object.entries(played.headers ?? {})) hdrs.set(name, value);
      message.respond(played.body, { headers: hdrs });
    };
    const subscription = nc.subscribe(rpcSubjects(call), {
      callback: (_error, message) => void reply(message),
    });
    ends.set(call, () => subscription.unsubscribe());
    await nc.flush();
    return received;
  };
}

function plain(hdrs: MsgHdrs | undefined): Record<string, string> {
  return Object.fromEntries((hdrs?.keys() ?? []).map((name) => [name.toLowerCase(), hdrs?.get(name) ?? '']));
}
