import { accessError, eventStream, needsStepUp } from '@talpa/contracts';
import { addressKey } from '@talpa/service-kit/address-key';
import { AppError, refuseAccess } from '@talpa/service-kit/app-error';
import type { CallInfo } from '@talpa/service-kit/bus/message';
import { deadlineOf } from '@talpa/service-kit/bus/request';
import type { SessionToken } from '@talpa/service-kit/session/token';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limits } from '../limits/limits.ts';
import { type ApiKeys, hasBearer, presentedKey } from '../session/api-keys.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Authenticate, Requester } from './authenticate.ts';
import { authenticateCounted } from './authenticate-counted.ts';
import { languageOf } from './errors.ts';
import { isPing } from './input.ts';
import type { ApiRoute } from './table.ts';

/** What authorization needs. */
export interface AuthorizeParts {
  readonly sessions: Sessions;
  readonly apiKeys: ApiKeys;
  readonly authenticate: Authenticate;
  readonly limits: Limits;
}

/** A request whose sender is known and may make it. */
export interface Authorized {
  readonly requester: Requester;
  /** What the cookie claims; null without a session. */
  readonly claim: SessionToken | null;
  /** Who is counted: see `CountedRequester`. */
  readonly caller: string;
  readonly address: () => string;
  readonly info: Omit<CallInfo, 'client'>;
}

/**
 * Authorizes a request of a route: limit, session or API key, access, step-up.
 * @throws AppError too_many_requests, api_key_invalid, api_key_address, account_suspended, those of `accessError`, step_up_required;
 * service_unavailable when auth is away
 */
export async function authorize(
  { entry }: ApiRoute,
  parts: AuthorizeParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Authorized> {
  const { sessions } = parts;
  const { claim, apiKey } = credentialsOf(request, parts);
  const info = {
    requestId: request.id,
    language: languageOf(request),
    deadlineAt: Date.now() + deadlineOf(entry.procedure),
  };
  // An open stream is no use of the session: it may not keep one alive.
  const use = entry.media !== eventStream && !isPing(request);
  const input = { claim, apiKey, use, info, isGlobal: entry.cached === 'global' };
  const { requester, caller } = await authenticateCounted(parts, request, input);
  if (
    accessError(entry, requester.actor) === 'not_signed_in' &&
    sessions.cookie.read(request.headers.cookie) !== undefined
  )
    reply.header('set-cookie', sessions.cookie.clear);
  refuseAccess(entry, requester.actor);
  if (entry.stepUp === true && requester.actor && needsStepUp(requester.actor))
    throw new AppError('step_up_required');
  return { requester, claim, caller, address: () => addressKey(request.ip), info };
}

/** A Bearer token is an API key, and then cookies count for nothing. @throws AppError api_key_invalid, too_many_requests */
function credentialsOf(request: FastifyRequest, { sessions, limits }: AuthorizeParts) {
  const { authorization } = request.headers;
  if (!hasBearer(authorization)) return { claim: sessions.claimOf(request.raw), apiKey: null };
  const apiKey = presentedKey(authorization, request.ip);
  if (apiKey) return { claim: null, apiKey };
  limits.request(addressKey(request.ip));
  throw new AppError('api_key_invalid');
}
