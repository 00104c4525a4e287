import { AppError } from '@talpa/service-kit/app-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuthorizeParts, authorize } from '../api/authorize.ts';
import type { ApiRoute } from '../api/table.ts';
import { checkReader, type OriginCheck } from '../security/origin.ts';
import type { Live } from './live.ts';
import { sightOf } from './stream.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its responses go on: their length says nothing about us. */
    isStream?: boolean;
  }
}

/** Lets a signed-in reader of our own pages in and leaves the connection to their stream. */
export function createStreamHandler(
  route: ApiRoute,
  parts: AuthorizeParts & { readonly live: Live; readonly checkOrigin: OriginCheck },
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    checkReader(parts.checkOrigin, request);
    const { requester, claim } = await authorize(route, parts, request, reply);
    if (!claim || !requester.actor) throw new AppError('not_signed_in');
    parts.live.refuseTooMany(claim.userId);
    if (request.method === 'HEAD') return reply.type(route.entry.media ?? '').send();
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    parts.live.open(reply.raw, { claim, sight: sightOf(requester.actor) });
    return reply;
  };
}
