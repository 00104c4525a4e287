import { unsubscribePath } from '@talpa/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ApiParts, createHandler } from './handler.ts';
import { servedInScope } from './served-in-scope.ts';
import { apiRoutes } from './table.ts';

/** Bytes; `List-Unsubscribe=One-Click` is all that is sent. */
const bodyLimit = 4_096;
const route = apiRoutes.find(({ name }) => name === 'POST /api/unsubscription');

/**
 * What a mail program sends when its reader presses “Unsubscribe” (RFC 8058): a POST from anywhere, with a form as its body,
 * to the address at which a browser gets the page. The token in the address is all that counts, so no origin is checked.
 */
export function registerOneClick(app: FastifyInstance, parts: ApiParts): void {
  if (!route) throw new Error('the contract has no route that ends notifications by email');
  app.removeAllContentTypeParsers();
  // The body says nothing more than the address. Fastify limits its size only if it reads it.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, _body, done) => done(null));
  app.post(unsubscribePath, {
    preHandler: (request: FastifyRequest, _reply, done) => {
      request.body = { token: (request.query as { token?: unknown }).token };
      request.query = {};
      done();
    },
    handler: servedInScope(route, createHandler(route, parts)),
  });
}
