import { AppError } from '@talpa/service-kit/app-error';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
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

const prefix = '/api/docs';

/** `GET /api/openapi.json` and the page to try it at `/api/docs`. */
export function registerDocs(app: FastifyInstance, version: string, cookieName: string): void {
  // For who asks first: each would be a tenth of the start.
  let document: OpenApi | undefined;
  let text: string | undefined;
  let page: Promise<FastifyInstance> | undefined;
  const documentOnce = () => {
    document ??= createOpenApi(version, cookieName);
    return document;
  };
  app.get('/api/openapi.json', (_request, reply) => {
    text ??= JSON.stringify(documentOnce());
    return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(text);
  });
  const sendPage = async ({ url, headers }: FastifyRequest, reply: FastifyReply) => {
    page ??= createPage(documentOnce).catch((error: unknown) => {
      // Whoever asks next tries again.
      page = undefined;
      throw error;
    });
    const found = await (await page).inject({ url, headers });
    if (found.statusCode === 404) throw new AppError('not_found');
    const { connection: _, 'transfer-encoding': __, ...others } = found.headers;
    // A redirect has none; an empty one would be given a type.
    return reply
      .code(found.statusCode)
      .headers(others)
      .send(found.rawPayload.length > 0 ? found.rawPayload : undefined);
  };
  app.get(prefix, sendPage);
  app.get(`${prefix}/*`, sendPage);
}

/** Swagger UI, in a server that does not listen: no route can be added to one that does. */
async function createPage(document: () => OpenApi): Promise<FastifyInstance> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const page = fastify();
  // In the place of the plugin that would gather the document from the routes.
  const gathered = plugin(async (here) => void here.decorate('swagger', document as never), {
    name: '@fastify/swagger',
  });
  await page.register(gathered);
  await page.register(swaggerUi, {
    routePrefix: prefix,
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
  return page;
}
