import { addressKey } from '@talpa/service-kit/address-key';
import type { FastifyRequest } from 'fastify';
import type { Limits } from '../limits/limits.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Authenticate, AuthenticateInput, Requester } from './authenticate.ts';

interface CountedParts {
  readonly sessions: Pick<Sessions, 'hasEnded'>;
  readonly authenticate: Authenticate;
  readonly limits: Limits;
}

/** Who sent a request, and whose limit it counts for. */
export interface CountedRequester {
  readonly requester: Requester;
  /** The user, or the address of a caller without a live session. */
  readonly caller: string;
}

/**
 * Finds out who asks, and counts the request before auth is asked. A request with an ended session's cookie counts for the
 * address, not for the user. If this gateway knows that the session has ended, it counts before it asks
 * auth, so a caller above the limit costs auth nothing.
 * @throws (what it gives) AppError too_many_requests; service_unavailable when auth is away
 */
export async function authenticateCounted(
  { sessions, authenticate, limits }: CountedParts,
  request: FastifyRequest,
  input: AuthenticateInput,
): Promise<CountedRequester> {
  const { claim } = input;
  const address = () => addressKey(request.ip);
  const counted = claim && !sessions.hasEnded(claim) ? `session ${claim.sessionId}` : address();
  limits.request(counted);
  const requester = await authenticate(input);
  const caller = requester.actor ? `user ${requester.actor.userId}` : address();
  if (caller !== counted) limits.request(caller);
  return { requester, caller };
}
