import { createServer, type RequestListener, type Server } from 'node:http';
import { countedRequests, giveGoAhead, trackTurn } from '@talpa/service-kit/pipelining';

/** How long a request's head and all of it may take to arrive, and how long an idle connection stays open, in ms. */
export const timeouts = { headersTimeout: 15_000, requestTimeout: 30_000, keepAliveTimeout: 72_000 } as const;
/** Node looks for requests that take too long this often. */
const connectionsCheckingInterval = 5_000;
/** Longer than any response takes to begin and than live streams are silent: the response is not read. */
const stillTimeoutMs = 90_000;

/**
 * The server below Fastify.
 * @param serve Fastify's own way
 * @param fastPath answers some requests before Fastify, and leaves the rest to it
 * @param stillMs a connection on which no byte moves for so long is closed, in ms
 */
export function createHttpServer(
  serve: RequestListener,
  fastPath: (serve: RequestListener) => RequestListener,
  stillMs = stillTimeoutMs,
): Server {
  const serveFast = fastPath(serve);
  const handle: RequestListener = (request, response) => {
    trackTurn(request, response);
    // Once it closes, Fastify ends each connection with a header.
    if (server.listening) serveFast(request, response);
    else serve(request, response);
  };
  const server = createServer(
    { ...timeouts, connectionsCheckingInterval, IncomingMessage: countedRequests() },
    handle,
  );
  server.on('checkContinue', (request, response) => {
    giveGoAhead(response);
    handle(request, response);
  });
  server.setTimeout(stillMs);
  return server;
}
