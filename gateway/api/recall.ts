import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { barrierOf, preferredLanguage } from '@talpa/contracts';
import type { CacheVersions } from '@talpa/service-kit/cache-versions';
import { isTracing } from '@talpa/service-kit/telemetry/tracing';
import type { Limits } from '../limits/limits.ts';
import type { Memory } from '../memory/memory.ts';
import { apiHeaders, type Headers, jsonType } from '../security/headers.ts';
import type { Sessions } from '../session/sessions.ts';
import type { AnswerLog } from '../telemetry/answer-log.ts';
import { meterOf } from '../telemetry/http.ts';
import type { Input } from './input.ts';
import { memoryKey, type RememberedReply } from './remember.ts';
import { type ApiRoute, apiRoutes } from './table.ts';
import { readVersions } from './visitor.ts';

export interface RecallParts {
  readonly sessions: Sessions;
  readonly cacheVersions: CacheVersions;
  readonly limits: Limits;
  readonly replies: Memory<RememberedReply>;
  /** On every answer. */
  readonly headers: Headers;
  readonly logAnswer: AnswerLog;
}

/** A read that may be remembered, asked for without any input. */
interface Recalled {
  readonly route: ApiRoute;
  readonly input: Input;
  readonly measure: ReturnType<typeof meterOf>;
}

/**
 * Answers remembered reads before Fastify takes them up, which would cost a quarter more. Whatever is not known
 * here without asking a service goes the ordinary way, as if this were not there; see docs/decisions/0023.
 */
export function createRecall(parts: RecallParts): (serve: RequestListener) => RequestListener {
  // A trace begins in Fastify's handler.
  if (isTracing()) return (serve) => serve;
  const recalled = new Map(apiRoutes.flatMap((route) => withoutInput(route)));
  const headers = Object.entries({ ...parts.headers, ...apiHeaders, 'content-type': jsonType }).flat();

  const answer = ({ route, measure }: Recalled, response: ServerResponse, text: string, since: number) => {
    const requestId = randomUUID();
    const length = String(Buffer.byteLength(text));
    response.writeHead(200, [...headers, 'x-request-id', requestId, 'content-length', length]);
    response.end(text);
    const ms = performance.now() - since;
    measure(200, ms);
    parts.logAnswer({ requestId, method: route.method, route: route.path, status: 200, ms });
  };
  return (serve) => (request, response) => {
    const known = request.method === 'GET' ? recalled.get(request.url ?? '') : undefined;
    if (!known) return serve(request, response);
    const since = performance.now();
    recall(known, request, parts).then(
      (text) => (text === null ? serve(request, response) : answer(known, response, text, since)),
      () => serve(request, response),
    );
  };
}

/** The remembered answer, if whoever asks is known, may ask, and may ask now. */
async function recall(
  { route, input }: Recalled,
  request: IncomingMessage,
  { sessions, cacheVersions, limits, replies }: RecallParts,
): Promise<string | null> {
  const claim = sessions.claimOf(request);
  if (!claim) return null;
  const read = await readVersions(cacheVersions, claim, route.entry.cached === 'global');
  const actor = read.ownVersion === null ? null : sessions.knownActor(claim, read.ownVersion)?.actor;
  if (!actor || barrierOf(route.entry.access, actor)) return null;
  const language = preferredLanguage(request.headers['accept-language']);
  const key = memoryKey(route, { actor, ...read }, input, language);
  const reply = key === null ? undefined : replies.known(key);
  return reply && limits.admits(`user ${claim.userId}`) ? reply.text : null;
}

function withoutInput(route: ApiRoute): [string, Recalled][] {
  const { entry, method, path } = route;
  if (method !== 'GET' || !entry.cached || entry.secret) return [];
  const { success, data } = entry.input.safeParse({});
  return success ? [[path, { route, input: data, measure: meterOf(method, path) }]] : [];
}
