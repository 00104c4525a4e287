import type { NatsConnection } from '@nats-io/transport-node';
import type { Origin } from '@talpa/contracts';
import { ask } from '@talpa/service-kit/bus/request';
import { cutUserAgent } from '@talpa/service-kit/text';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Memory } from '../memory/memory.ts';
import { jsonType } from '../security/headers.ts';
import { type AdmitParts, createAdmit } from './admit.ts';
import { applyEffect } from './effects.ts';
import { isPing, readIdempotencyKey, readInput } from './input.ts';
import { memoryKey, type RememberedReply, toRemember } from './remember.ts';
import type { ApiRoute } from './table.ts';

/** What every route's handler works with. */
export interface ApiParts extends AdmitParts {
  readonly nc: NatsConnection;
  /** Answers of entries with `cached`. */
  readonly replies: Memory<RememberedReply>;
}

/** The way of one request: limit, session, access, input, then the service's bytes as they are. */
export function createHandler(route: ApiRoute, parts: ApiParts) {
  const { entry } = route;
  const { nc, sessions, limits, replies } = parts;
  const admit = createAdmit(route, parts);
  const guard = limits.guardOf(entry, route.isMutation);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { visitor, caller, address, info } = await admit(request, reply);
    const input = readInput(route, request);
    const idempotencyKey = entry.idempotent && readIdempotencyKey(request);
    const forward = () =>
      ask(
        nc,
        entry.serve,
        { assertion: visitor.assertion, origin: originOf(request), input },
        { ...info, idempotencyKey },
      );

    const key = isPing(request) ? null : memoryKey(route, visitor, input, info.language);
    if (key !== null) {
      const recalled = replies.recall(key, async () => toRemember(await forward()));
      const { text } = recalled instanceof Promise ? await recalled : recalled;
      return reply.header('content-type', jsonType).send(text);
    }
    const counted = () => ({ caller, address: address(), username: String(input.username ?? '') });
    const message = await (guard ? guard(counted(), forward) : forward());
    applyEffect(entry, message, reply, sessions);
    reply.code(route.status);
    return route.status === 204 ? reply.send() : reply.header('content-type', jsonType).send(message.data);
  };
}

function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, userAgent: cutUserAgent(request.headers['user-agent'] ?? '') };
}
