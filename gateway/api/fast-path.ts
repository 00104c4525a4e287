import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { accessError, preferredLanguage } from '@talpa/contracts';
import type { CacheVersions } from '@talpa/service-kit/cache-versions';
import { isTracing } from '@talpa/service-kit/telemetry/tracing';
import type { CachedResponse, ResponseCache } from '../cache/responses.ts';
import type { Limits } from '../limits/limits.ts';
import { apiHeaders, type Headers, jsonType } from '../security/headers.ts';
import { hasBearer } from '../session/api-keys.ts';
import type { Sessions } from '../session/sessions.ts';
import type { ResponseLog } from '../telemetry/response-log.ts';
import { readVersions } from './authenticate.ts';
import { cacheKey } from './cache-key.ts';
import type { CachedRead, CachedReads } from './cached-reads.ts';
import { pageHeaders } from './effects.ts';

export interface FastPathParts {
  readonly sessions: Sessions;
  readonly cacheVersions: CacheVersions;
  readonly limits: Limits;
  readonly responses: ResponseCache;
  readonly cachedReads: CachedReads;
  /** On every response. */
  readonly headers: Headers;
  readonly logResponse: ResponseLog;
}

/**
 * Answers cached reads before they reach Fastify, which would cost a quarter more. A request that needs a service
 * goes through Fastify as if this did not exist; see docs/decisions/0023.
 */
export function createFastPath(parts: FastPathParts): (serve: RequestListener) => RequestListener {
  // A trace begins in Fastify's handler.
  if (isTracing()) return (serve) => serve;
  const headers = Object.entries({ ...parts.headers, ...apiHeaders, 'content-type': jsonType }).flat();

  const send = (
    { route, measure }: CachedRead,
    url: string,
    response: ServerResponse,
    { text, page }: CachedResponse,
    since: number,
  ) => {
    const requestId = randomUUID();
    const length = String(Buffer.byteLength(text));
    const own = ['x-request-id', requestId, 'content-length', length];
    if (page) own.push(...Object.entries(pageHeaders(route.entry, url, page)).flat());
    response.writeHead(200, [...headers, ...own]);
    response.end(text);
    const ms = performance.now() - since;
    measure(200, ms);
    parts.logResponse({ requestId, method: route.method, route: route.path, status: 200, ms });
  };
  return (serve) => (request, response) => {
    const { method, url = '' } = request;
    const read = method === 'GET' ? parts.cachedReads.get(url) : undefined;
    if (!read) return serve(request, response);
    const since = performance.now();
    cachedResponse(read, request, parts).then(
      (cached) => (cached ? send(read, url, response, cached, since) : serve(request, response)),
      () => serve(request, response),
    );
  };
}

/** The cached response, if the session is cached too, and access and limits allow the request. */
async function cachedResponse(
  { route, input }: CachedRead,
  request: IncomingMessage,
  { sessions, cacheVersions, limits, responses }: FastPathParts,
): Promise<CachedResponse | null> {
  // Whether an API key counts depends on its address, which Fastify finds out.
  if (hasBearer(request.headers.authorization)) return null;
  const claim = sessions.claimOf(request);
  if (!claim) return null;
  const read = await readVersions(cacheVersions, claim, route.entry.cached === 'global');
  const actor = read.ownVersion === null ? null : sessions.cachedActor(claim, read.ownVersion)?.actor;
  if (!actor || accessError(route.entry, actor)) return null;
  const language = preferredLanguage(request.headers['accept-language']);
  const key = cacheKey(route, { actor, ...read }, input, language);
  const cached = key === null ? undefined : responses.get(key);
  return cached && limits.allows(`user ${claim.userId}`) ? cached : null;
}
