import type { FastifyRequest } from 'fastify';
import { addressKey } from '../limits/address.ts';
import type { Limits } from '../limits/limits.ts';
import type { Recognition, Recognize, Visitor } from './visitor.ts';

/** Who asks, and who is counted for it. */
export interface CountedVisitor {
  readonly visitor: Visitor;
  /** The user, or the address of a caller without a live session. */
  readonly caller: string;
}

/**
 * Finds out who asks, and counts the request before auth is asked. The cookie of an ended session is no proof: it uses up
 * what is its sender's, never what is the user's.
 * @throws (what it gives) AppError too_many_requests; service_unavailable when auth is away
 */
export async function recognizeCounted(
  { recognize, limits }: { readonly recognize: Recognize; readonly limits: Limits },
  request: FastifyRequest,
  recognition: Recognition,
): Promise<CountedVisitor> {
  const { claim } = recognition;
  const address = () => addressKey(request.ip);
  limits.request(claim ? `session ${claim.sessionId}` : address());
  const visitor = await recognize(recognition);
  const caller = visitor.actor ? `user ${visitor.actor.userId}` : address();
  if (claim) limits.request(caller);
  return { visitor, caller };
}
