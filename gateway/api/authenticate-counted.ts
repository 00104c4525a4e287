import type { Actor } from '@talpa/contracts';
import { addressKey } from '@talpa/service-kit/address-key';
import type { FastifyRequest } from 'fastify';
import type { Limits } from '../limits/limits.ts';
import type { ApiKeys } from '../session/api-keys.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Authenticate, AuthenticateInput, Requester } from './authenticate.ts';

interface CountedParts {
  readonly sessions: Pick<Sessions, 'hasEnded'>;
  readonly apiKeys: Pick<ApiKeys, 'ownerOf'>;
  readonly authenticate: Authenticate;
  readonly limits: Limits;
}

/** Who sent a request, and whose limit it counts for. */
export interface CountedRequester {
  readonly requester: Requester;
  /** The user, the API key, or the address of a caller who has neither a live session nor a valid key. */
  readonly caller: string;
}

/**
 * Finds out who asks, and counts the request before auth is asked. A request with an ended session's cookie counts for the
 * address, not for the user. If this gateway knows that the session has ended, it counts before it asks
 * auth, so a caller above the limit costs auth nothing. An API key counts for the address until auth has accepted it.
 * @throws (what it gives) AppError too_many_requests; service_unavailable when auth is away
 */
export async function authenticateCounted(
  { sessions, apiKeys, authenticate, limits }: CountedParts,
  request: FastifyRequest,
  input: AuthenticateInput,
): Promise<CountedRequester> {
  const { claim, apiKey } = input;
  const address = () => addressKey(request.ip);
  const known = () => {
    if (apiKey) return apiKeys.ownerOf(apiKey) && `key ${apiKey.id}`;
    return claim && !sessions.hasEnded(claim) ? `session ${claim.sessionId}` : null;
  };
  const counted = known() ?? address();
  limits.request(counted);
  const requester = await authenticate(input);
  const caller = requester.actor ? callerOf(requester.actor) : address();
  if (caller !== counted) limits.request(caller);
  return { requester, caller };
}

/** Each key has limits of its own: a script does not use up those of the panel. */
const callerOf = ({ userId, apiKey }: Actor) => (apiKey ? `key ${apiKey.id}` : `user ${userId}`);
