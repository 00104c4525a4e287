import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectorRelease, type PanelConfig } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { CacheVersions } from '@talpa/service-kit/cache-versions';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import type { Log } from '@talpa/service-kit/log';
import type { TrustProxy } from '@talpa/service-kit/trust-proxy';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createAuthenticate } from './api/authenticate.ts';
import { createCachedReads } from './api/cached-reads.ts';
import { createErrorHandler } from './api/errors.ts';
import { createFastPath } from './api/fast-path.ts';
import { registerOneClick } from './api/one-click.ts';
import { createResponseCache } from './cache/responses.ts';
import { closeUnusedConnections } from './closing.ts';
import { type ConnectionLimits, limitConnections, streamsWithin } from './connections.ts';
import { registerConnector } from './connector/connector.ts';
import { registerDocs } from './docs/docs.ts';
import { registerEdgeAuthority } from './edge-authority.ts';
import { registerHealth } from './health.ts';
import type { Limits } from './limits/limits.ts';
import { createLive, type LiveSettings } from './live/live.ts';
import { createAdminGate } from './panel/admin-gate.ts';
import { type PanelSources, registerPanel } from './panel/panel.ts';
import { registerApi } from './routes.ts';
import { securityHeaders } from './security/headers.ts';
import { createOriginCheck } from './security/origin.ts';
import { createHttpServer, timeouts } from './server.ts';
import { createApiKeys } from './session/api-keys.ts';
import { createSessionCookie } from './session/cookie.ts';
import { createDeviceCookie } from './session/device-cookie.ts';
import { createSessions } from './session/sessions.ts';
import { measureRoutes } from './telemetry/http.ts';
import { createResponseLog } from './telemetry/response-log.ts';

/** What the gateway is made of; `main.ts` connects it, tests hand in their own. */
export interface GatewayParts {
  readonly nc: NatsConnection;
  readonly cacheVersions: CacheVersions;
  readonly limits: Limits;
  readonly connections: ConnectionLimits;
  readonly sessionKeys: KeyRing;
  readonly panel: PanelSources;
  readonly panelConfig: PanelConfig;
  /** The PEM of our edge's certificate authority; undefined where there is no edge of ours. */
  readonly edgeAuthorityFile?: string | undefined;
  /** Where the connector's files are: an address, or a folder of ours; undefined: the pinned release. */
  readonly connectorMirror?: string | undefined;
  readonly publicUrl: string | undefined;
  readonly trustProxy: TrustProxy;
  readonly ready: () => Promise<string | true> | string | true;
  readonly live: LiveSettings;
  readonly log: Log;
  /** Of the responses that are neither slow nor errors, the share that is logged. */
  readonly logSample?: number;
}

const bodyLimit = 64 * 1_024;

/** Wires the gateway: the only entrance by HTTP. Listening is the process's matter. */
export async function createGateway(parts: GatewayParts): Promise<FastifyInstance> {
  const { nc, log, logSample = 0 } = parts;
  const handleError = createErrorHandler(log);
  const secure = parts.publicUrl?.startsWith('https:') ?? false;
  const headers = securityHeaders(secure);
  const nameAndGuard = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(headers).header('x-request-id', request.id);
  const logResponse = createResponseLog(log, logSample);
  const sessions = createSessions(parts.sessionKeys, createSessionCookie(secure));
  const [responses, cachedReads] = [createResponseCache(), createCachedReads()];
  const fastPath = createFastPath({
    sessions,
    cacheVersions: parts.cacheVersions,
    limits: parts.limits,
    responses,
    cachedReads,
    headers,
    logResponse,
  });
  const app = fastify({
    bodyLimit,
    trustProxy: parts.trustProxy,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    ...timeouts,
    serverFactory: (serve) => createHttpServer(serve, fastPath),
    // A busy machine takes as long as it takes; the launcher judges whether we hang.
    pluginTimeout: 0,
    // What still comes in on an open connection while we close gets its response like anything else.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
    // Addresses that cannot even be decoded meet no hook.
    frameworkErrors: (error, request, reply) =>
      void handleError(error, request, nameAndGuard(request, reply)),
  });
  measureRoutes(app);
  app.addHook('onRequest', (request, reply, done) => {
    nameAndGuard(request, reply);
    done();
  });
  app.addHook('onResponse', (request, { statusCode: status, elapsedTime: ms }, done) => {
    const { url: route, config } = request.routeOptions;
    if (!config.isStream) logResponse({ requestId: request.id, method: request.method, route, status, ms });
    done();
  });
  closeUnusedConnections(app);
  limitConnections(app.server, parts.connections, parts.trustProxy, log);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) => handleError(new AppError('not_found'), request, reply));

  const apiKeys = createApiKeys(parts.sessionKeys);
  const authenticate = createAuthenticate(nc, sessions, apiKeys, parts.cacheVersions);
  const checkOrigin = createOriginCheck(parts.publicUrl);
  const live = createLive({
    nc,
    cacheVersions: parts.cacheVersions,
    authenticate,
    log,
    settings: { ...parts.live, inAll: streamsWithin(parts.live.inAll, parts.connections) },
  });
  // Before the server stops listening: open streams reconnect to another gateway.
  app.addHook('preClose', (done) => {
    live.close();
    done();
  });
  const apiParts = {
    nc,
    sessions,
    apiKeys,
    authenticate,
    limits: parts.limits,
    responses,
    cachedReads,
    deviceCookie: createDeviceCookie(secure),
  };
  await app.register(async (api) => registerApi(api, { ...apiParts, checkOrigin, live }));
  await app.register(async (scope) => registerOneClick(scope, apiParts));
  registerDocs(app, parts.panelConfig.version, sessions.cookie.name);
  registerHealth(app, parts.ready);
  registerEdgeAuthority(app, parts.edgeAuthorityFile);
  await registerConnector(app, {
    publicUrl: parts.publicUrl,
    edge: parts.panelConfig.edge?.address ?? null,
    authorityFile: parts.edgeAuthorityFile,
    mirror: parts.connectorMirror ?? connectorRelease.mirror,
  });

  const adminGate = createAdminGate({ sessions, apiKeys, authenticate, limits: parts.limits });
  await registerPanel(app, parts.panel, parts.panelConfig, adminGate);
  return app;
}
