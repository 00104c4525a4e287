import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { createOpenApi, type OpenApi } from './openapi.ts';

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
  let document: OpenApi | undefined;
  let text: string | undefined;
  // For who asks first: making it would be a sixth of the start.
  const documentOnce = () => {
    document ??= createOpenApi(version, cookieName);
    return document;
  };
  app.get('/api/openapi.json', (_request, reply) => {
    text ??= JSON.stringify(documentOnce());
    return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(text);
  });
  await app.register(async (docs) => {
    // In the place of the plugin that would gather the document from the routes.
    await docs.register(
      plugin(async (here) => void here.decorate('swagger', documentOnce as never), {
        name: '@fastify/swagger',
      }),
    );
    await docs.register(swaggerUi, {
      routePrefix: '/api/docs',
      staticCSP: docsPolicy,
      theme: { title: 'Talpa API' },
      // Has the UI write YAML itself.
      transformSpecification: (spec) => spec,
      transformSpecificationClone: false,
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
