import { AppError } from '@talpa/service-kit/app-error';
import { inScope } from '@talpa/service-kit/telemetry/scope';
import { isTracing, traced } from '@talpa/service-kit/telemetry/tracing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiRoute } from './table.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Names the request in every log line that comes of it and, where traces are wanted, begins one, or goes on with
 * the caller's.
 */
export function servedInScope({ name, path, method }: ApiRoute, handle: Handler): Handler {
  const inItsScope: Handler = (request, reply) =>
    inScope({ requestId: request.id }, () => handle(request, reply));
  if (!isTracing()) return inItsScope;
  return (request, reply) => {
    const parent = headerOf(request, 'traceparent');
    const attributes = { 'http.request.method': method, 'http.route': path, 'talpa.request_id': request.id };
    return inScope({ requestId: request.id }, () =>
      traced(name, { kind: 'server', parent, attributes }, async (span) => {
        try {
          return await handle(request, reply);
        } catch (error) {
          span?.set({ 'http.response.status_code': error instanceof AppError ? error.status : 500 });
          throw error;
        } finally {
          if (reply.sent) span?.set({ 'http.response.status_code': reply.statusCode });
        }
      }),
    );
  };
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
