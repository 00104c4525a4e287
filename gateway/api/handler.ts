import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Origin } from '@talpa/contracts';
import { ask } from '@talpa/service-kit/bus/request';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Memory } from '../memory/memory.ts';
import { type AdmitParts, createAdmit } from './admit.ts';
import { applyEffect, freshUntil } from './effects.ts';
import { type Input, isPing, readIdempotencyKey, readInput } from './input.ts';
import type { ApiRoute } from './table.ts';
import type { Visitor } from './visitor.ts';

/** What every route's handler works with. */
export interface ApiParts extends AdmitParts {
  readonly nc: NatsConnection;
  /** Answers of entries with `cached`. */
  readonly replies: Memory<RememberedReply>;
}

/** An answer, and until when it is true by itself (ms since the epoch). */
export interface RememberedReply {
  /** A text: Node sends it in one piece with the headers. */
  readonly text: string;
  readonly until: number;
}

const json = 'application/json; charset=utf-8';

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
        { actor: visitor.actor, origin: originOf(request), input },
        { ...info, idempotencyKey },
      );

    const key = isPing(request) ? null : memoryKey(route, visitor, input, info.language);
    if (key !== null) {
      const recalled = replies.recall(key, async () => toRemember(await forward()));
      const { text } = recalled instanceof Promise ? await recalled : recalled;
      return reply.header('content-type', json).send(text);
    }
    const counted = () => ({ caller, address: address(), username: String(input.username ?? '') });
    const message = await (guard ? guard(counted(), forward) : forward());
    applyEffect(entry, message, reply, sessions);
    reply.code(route.status);
    return route.status === 204 ? reply.send() : reply.header('content-type', json).send(message.data);
  };
}

/** Under which key an answer may be remembered; null: not at all. */
function memoryKey(route: ApiRoute, visitor: Visitor, input: Input, language: string): string | null {
  const { cached, secret } = route.entry;
  if (!cached || secret) return null;
  const stamp = cached === 'global' ? visitor.commonStamp : visitor.ownStamp;
  const owner = cached === 'global' ? 'everybody' : visitor.actor?.userId;
  if (stamp === null || owner === undefined) return null;
  return `${owner} ${route.name} ${language} ${stamp} ${JSON.stringify(input)}`;
}

function toRemember(message: Msg): RememberedReply {
  return { text: message.string(), until: freshUntil(message) };
}

function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}
