import { type ErrorCode, eventStream } from '@talpa/contracts';
import { addressKey } from '@talpa/service-kit/address-key';
import { AppError } from '@talpa/service-kit/app-error';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type ApiParts, createHandler } from './api/handler.ts';
import { servedInScope } from './api/served-in-scope.ts';
import { apiRoutes, methodsByPath } from './api/table.ts';
import { createStreamHandler } from './live/handler.ts';
import type { Live } from './live/live.ts';
import { apiHeaders, type Headers } from './security/headers.ts';
import type { OriginCheck } from './security/origin.ts';
import { hasBearer } from './session/api-keys.ts';

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

/** Registers every route of the contract, and what the API answers to everything else under /api. */
export function registerApi(
  app: FastifyInstance,
  parts: ApiParts & { readonly checkOrigin: OriginCheck; readonly live: Live },
): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(apiHeaders);
    done();
  });
  acceptJsonAlone(app);

  for (const route of apiRoutes) {
    app.route({
      method: route.method,
      url: route.path,
      ...(route.isMutation ? { onRequest: checkBefore(parts.checkOrigin) } : {}),
      ...(route.entry.media === eventStream
        ? { config: { isStream: true }, handler: createStreamHandler(route, parts) }
        : { handler: servedInScope(route, createHandler(route, parts)) }),
    });
  }
  for (const [url, known] of methodsByPath) {
    const allow = known.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.route({
      method: methods.filter((method) => !(known as readonly string[]).includes(method)),
      url,
      ...refusal(parts, 'method_not_allowed', { allow }),
    });
  }
  app.all('/api', refusal(parts, 'not_found'));
  app.all('/api/*', refusal(parts, 'not_found'));
}

/** A route that answers an error, before it looks at a body. */
function refusal({ limits }: ApiParts, code: ErrorCode, headers: Headers = {}) {
  return {
    onRequest: (request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void) => {
      limits.request(addressKey(request.ip));
      reply.headers(headers);
      done(new AppError(code));
    },
    handler: () => {},
  };
}

function checkBefore(checkOrigin: OriginCheck) {
  return (request: FastifyRequest, _reply: unknown, done: () => void) => {
    // No other site's page can send a Bearer token: a browser asks us first, and we do not allow it.
    if (!hasBearer(request.headers.authorization)) checkOrigin(request);
    done();
  };
}

/** JSON bodies only; a content type without a body is no body. */
function acceptJsonAlone(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body as string, done);
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else done(new AppError('unsupported_media_type'), undefined);
  });
}
