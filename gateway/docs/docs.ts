import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { createOpenApi } from './openapi.ts';

/** Swagger UI brings all its files along. It sets style attributes, and so needs inline styles. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** `GET /api/openapi.json` and the page to try it at `/api/docs`. */
export async function registerDocs(app: FastifyInstance, version: string, cookieName: string): Promise<void> {
  const document = createOpenApi(version, cookieName);
  const text = JSON.stringify(document);
  app.get('/api/openapi.json', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(text),
  );
  await app.register(async (docs) => {
    await docs.register(swagger, { mode: 'static', specification: { document: document as never } });
    await docs.register(swaggerUi, {
      routePrefix: '/api/docs',
      staticCSP: docsPolicy,
      theme: { title: 'Talpa API' },
      uiConfig: {
        url: '/api/openapi.json',
        validatorUrl: null,
        withCredentials: true,
        // From 150 open lines on Swagger UI draws those in sight alone: no search in the page finds the others.
        docExpansion: 'none',
      },
    });
  });
}
