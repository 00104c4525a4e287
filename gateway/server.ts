import { createServer, type RequestListener, type Server } from 'node:http';

/** How long a request may take to arrive, and how long an idle connection stays open, in ms. */
export const timeouts = { requestTimeout: 30_000, keepAliveTimeout: 72_000 } as const;

/**
 * The server below Fastify.
 * @param serve Fastify's own way
 * @param fastPath answers some requests before Fastify, and leaves the rest to it
 */
export function createHttpServer(
  serve: RequestListener,
  fastPath: (serve: RequestListener) => RequestListener,
): Server {
  const serveFast = fastPath(serve);
  const server = createServer(timeouts, (request, response) => {
    // Once it closes, Fastify ends each connection with a header.
    if (server.listening) serveFast(request, response);
    else serve(request, response);
  });
  return server;
}
