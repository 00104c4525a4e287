import { createServer, type RequestListener, type Server } from 'node:http';

/** How long a request may take to arrive, and how long an idle connection stays open, in ms. */
export const timeouts = { requestTimeout: 30_000, keepAliveTimeout: 72_000 } as const;

/**
 * The server below Fastify.
 * @param serve Fastify's own way
 * @param recall what answers before it, and leaves the rest to it
 */
export function createHttpServer(
  serve: RequestListener,
  recall: (serve: RequestListener) => RequestListener,
): Server {
  const recalled = recall(serve);
  const server = createServer(timeouts, (request, response) => {
    // Once it closes, Fastify tells each connection so.
    if (server.listening) recalled(request, response);
    else serve(request, response);
  });
  return server;
}
