import type { FastifyRequest } from 'fastify';
import { addressKey } from '../limits/address.ts';
import type { Limits } from '../limits/limits.ts';
import type { Authenticate, AuthenticateInput, Requester } from './authenticate.ts';

/** Who sent a request, and whose limit it counts for. */
export interface CountedRequester {
  readonly requester: Requester;
  /** The user, or the address of a caller without a live session. */
  readonly caller: string;
}

/**
 * Finds out who asks, and counts the request before auth is asked. The cookie of an ended session is no proof: it uses up
 * what is its sender's, never what is the user's.
 * @throws (what it gives) AppError too_many_requests; service_unavailable when auth is away
 */
export async function authenticateCounted(
  { authenticate, limits }: { readonly authenticate: Authenticate; readonly limits: Limits },
  request: FastifyRequest,
  input: AuthenticateInput,
): Promise<CountedRequester> {
  const { claim } = input;
  const address = () => addressKey(request.ip);
  limits.request(claim ? `session ${claim.sessionId}` : address());
  const requester = await authenticate(input);
  const caller = requester.actor ? `user ${requester.actor.userId}` : address();
  if (claim) limits.request(caller);
  return { requester, caller };
}
