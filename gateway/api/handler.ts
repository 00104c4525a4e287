import type { NatsConnection } from '@nats-io/transport-node';
import type { ClientInfo } from '@talpa/contracts';
import { ask } from '@talpa/service-kit/bus/request';
import { cutUserAgent } from '@talpa/service-kit/text';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseCache } from '../cache/responses.ts';
import { jsonType } from '../security/headers.ts';
import type { DeviceCookie } from '../session/device-cookie.ts';
import { type AuthorizeParts, authorize } from './authorize.ts';
import { cacheKey, toCachedResponse } from './cache-key.ts';
import type { CachedReads } from './cached-reads.ts';
import { applyEffect, pageHeaders } from './effects.ts';
import { isPing, readIdempotencyKey, readInput } from './input.ts';
import type { ApiRoute } from './table.ts';

/** What every route's handler works with. */
export interface ApiParts extends AuthorizeParts {
  readonly nc: NatsConnection;
  /** Responses of entries with `cached`. */
  readonly responses: ResponseCache;
  /** By their URLs, for the fast path. */
  readonly cachedReads: CachedReads;
  readonly deviceCookie: DeviceCookie;
}

/** The way of one request: limit, session, access, input, then the service's bytes as they are. */
export function createHandler(route: ApiRoute, parts: ApiParts) {
  const { entry } = route;
  const { nc, sessions, limits, responses, cachedReads, deviceCookie } = parts;
  const guard = limits.guardOf(entry, route.isMutation);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { requester, caller, address, info } = await authorize(route, parts, request, reply);
    const input = readInput(route, request);
    const idempotencyKey = entry.idempotent && readIdempotencyKey(request);
    const device =
      entry.effect === 'signIn' || entry.isBound ? deviceCookie.of(request.headers.cookie) : null;
    const client = { ...clientOf(request), ...(device ? { device: device.hash } : {}) };
    const forward = () =>
      ask(
        nc,
        entry.procedure,
        { assertion: requester.assertion, client, input },
        { ...info, idempotencyKey },
      );

    const key = isPing(request) ? null : cacheKey(route, requester, input, info.language);
    if (key !== null) {
      const cached = responses.getOrFetch(key, async () => toCachedResponse(route, await forward()));
      const { text, page } = cached instanceof Promise ? await cached : cached;
      if (request.method === 'GET') cachedReads.remember(request.url, route, input);
      if (page) reply.headers(pageHeaders(entry, request.url, page));
      return reply.header('content-type', jsonType).send(text);
    }
    const counted = () => ({
      caller,
      address: address(),
      username: String(input.username ?? ''),
      owner: requester.actor ? `user ${requester.actor.userId}` : address(),
    });
    const message = await (guard ? guard(counted(), forward) : forward());
    applyEffect(entry, message, reply, sessions);
    if (device) reply.header('set-cookie', device.setCookie);
    reply.code(route.status);
    if (route.status === 204) return reply.send();
    if (entry.media) return sendText(reply, entry.media, message.json<string>());
    return reply.header('content-type', jsonType).send(message.data);
  };
}

/** A text that is no JSON: a browser saves it and shows nothing of it. */
const sendText = (reply: FastifyReply, media: string, text: string) =>
  reply
    .headers({ 'content-type': `${media}; charset=utf-8`, 'content-disposition': 'attachment' })
    .send(text);

function clientOf(request: FastifyRequest): ClientInfo {
  return { address: request.ip, userAgent: cutUserAgent(request.headers['user-agent'] ?? '') };
}
