import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure, success } from '../api/envelope.ts';
import { ApiError } from '../api/errors.ts';
import { delay, type Fault, FaultInjector, fault } from './faults.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the response is to be lost after the work. */
    losesResponse?: boolean;
  }
  interface FastifyContextConfig {
    /** The operation a route leads to. */
    operation?: string;
  }
}

/** Opens the fault injection: counts every call and lets the faults that are set happen. */
export function openFaultInjection(app: FastifyInstance): void {
  const injector = new FaultInjector();
  app.addHook('preHandler', async (request, reply) => {
    const { operation } = request.routeOptions.config;
    if (!operation) return;
    const found = injector.hit({ operation, method: request.method, url: request.url });
    if (found) return happen(found, request, reply);
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    if (request.losesResponse) request.raw.socket.destroy();
    return payload;
  });

  app.post('/fault-injection/faults', async (request) => {
    const parsed = fault.safeParse(request.body);
    if (!parsed.success) throw new ApiError('invalidRequest', parsed.error.issues[0]?.message);
    injector.add(parsed.data);
    return success(null);
  });
  app.delete('/fault-injection/faults', async () => {
    injector.clearFaults();
    return success(null);
  });
  app.get('/fault-injection/calls', async () => success(injector.calls()));
  app.delete('/fault-injection/calls', async () => {
    injector.clearCalls();
    return success(null);
  });
}

async function happen(found: Fault, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (found.ms > 0) {
    const gone = new AbortController();
    request.raw.socket.once('close', () => gone.abort());
    await delay(found.ms, gone.signal);
  }
  switch (found.fault) {
    case 'delay':
      return;
    case 'lose_response':
      request.losesResponse = true;
      return;
    case 'drop':
      reply.hijack();
      request.raw.socket.destroy();
      return;
    case '429':
      throw new ApiError('rateLimited', undefined, found.retryAfter);
    case '500':
      throw new ApiError('internal');
    case 'refuse':
      return reply.code(found.status).send(failure(found.code, found.message));
  }
}
