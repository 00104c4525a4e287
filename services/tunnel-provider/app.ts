import type { Log } from '@talpa/service-kit/log';
import { histogram } from '@talpa/service-kit/telemetry/metrics';
import { inScope } from '@talpa/service-kit/telemetry/scope';
import { traced } from '@talpa/service-kit/telemetry/tracing';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createTokenCheck } from './api/access.ts';
import { failure, success } from './api/envelope.ts';
import { ApiError } from './api/errors.ts';
import { type ProviderContext, parseInput } from './api/operation.ts';
import { openFaultInjection } from './fault-injection/routes.ts';
import { operations } from './operations.ts';

const duration = histogram('talpa_provider_api_duration_seconds', 'Calls of the embedded provider’s API', [
  'operation',
  'status',
]);

export interface AppOptions {
  /** The only accepted bearer token. */
  readonly token: string;
  readonly faultInjection: boolean;
  readonly log: Log;
}

/** The embedded provider's HTTP API: Cloudflare's v4 calls for tunnels and DNS records. */
export function buildApp(context: ProviderContext, options: AppOptions): FastifyInstance {
  const app = fastify({ forceCloseConnections: 'idle', return503OnClosing: false });
  const isAllowed = createTokenCheck(options.token);

  app.addHook('onRequest', async (request) => {
    if (!isAllowed(request.headers.authorization)) throw new ApiError('unauthenticated');
  });
  app.setNotFoundHandler(() => {
    throw new ApiError('noRoute');
  });
  app.setErrorHandler((error, request, reply) =>
    inScope({ requestId: headerOf(request, 'x-request-id') }, () => sendFailure(reply, error, options.log)),
  );
  if (options.faultInjection) openFaultInjection(app);

  for (const [key, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = key.split(' ');
    app.route({
      method,
      url: `/client/v4${path}`,
      config: { operation: operation.name },
      onResponse: (request, reply, done) => {
        const { statusCode: status } = reply;
        const requestId = headerOf(request, 'x-request-id');
        // What is not there is looked for all the time.
        if (status >= 400 && status !== 404)
          options.log.info({ requestId, call: operation.name, status }, 'provider API call refused');
        duration.labels(operation.name, `${Math.floor(status / 100)}xx`).observe(reply.elapsedTime / 1_000);
        done();
      },
      handler: async (request) => {
        const { accountId, zoneId, ...ids } = request.params as Record<string, string>;
        const foreign =
          (accountId !== undefined && accountId !== context.accountId) ||
          (zoneId !== undefined && zoneId !== context.zoneId);
        if (foreign) throw new ApiError('unauthorized');
        const rest = { ...(request.query as object), ...((request.body ?? {}) as object) };
        const call = operation.name;
        const requestId = headerOf(request, 'x-request-id');
        const parent = headerOf(request, 'traceparent');
        return inScope({ requestId, call }, () =>
          traced(call, { kind: 'server', parent }, async () => {
            const result = await operation.run(context, parseInput(operation, ids, rest));
            return operation.isBare ? { result } : success(result);
          }),
        );
      },
    });
  }
  return app;
}

const headerOf = (request: FastifyRequest, name: string) => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' && value.length <= 128 ? value : undefined;
};

function sendFailure(reply: FastifyReply, error: unknown, log: Log) {
  const known = asApiError(error, log);
  if (known.retryAfter !== undefined) reply.header('retry-after', String(known.retryAfter));
  return reply.code(known.status).send(failure(known.code, known.message));
}

function asApiError(error: unknown, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return new ApiError('tooLarge');
  // Fastify's own refusals: the body is no JSON.
  if (typeof status === 'number' && status < 500) return new ApiError('notJson');
  log.error({ err: error }, 'provider API call failed: internal error');
  return new ApiError('internal');
}
