import { AppError } from '@talpa/service-kit/app-error';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const timeoutMs = 5_000;

/**
 * Puts another server's files behind our origin. It learns nothing of our visitors' sessions.
 * @param audience `private`: nobody between us and the browser may keep them, whatever the server says.
 */
export async function registerUpstream(
  app: FastifyInstance,
  prefix: string,
  source: string,
  audience: 'public' | 'private',
  before: (request: FastifyRequest, reply: FastifyReply) => Promise<void> = async () => {},
): Promise<void> {
  // With undici and ws it takes a sixth of the gateway's start, which only a frontend at a URL needs.
  const { default: httpProxy } = await import('@fastify/http-proxy');
  const url = new URL(source);
  await app.register(httpProxy, {
    upstream: url.origin,
    prefix,
    rewritePrefix: url.pathname,
    httpMethods: ['GET', 'HEAD'],
    preHandler: before,
    http: { requestOptions: { timeout: timeoutMs } },
    replyOptions: {
      rewriteRequestHeaders: (_request, { cookie: _cookie, authorization: _authorization, ...headers }) =>
        headers,
      rewriteHeaders: (headers) =>
        audience === 'private'
          ? {
              ...headers,
              'cache-control': (headers['cache-control'] ?? 'no-cache').replace(/^(public, )?/, 'private, '),
            }
          : headers,
      onError: (reply, { error }) => void reply.send(new AppError('service_unavailable', { cause: error })),
    },
  });
}

/** The text of a file at an upstream. @throws AppError service_unavailable */
export async function fetchText(source: string, file: string): Promise<string> {
  try {
    const base = source.endsWith('/') ? source : `${source}/`;
    const response = await fetch(new URL(file, base), { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`${file} returned ${response.status}`);
    return await response.text();
  } catch (error) {
    throw new AppError('service_unavailable', { cause: error });
  }
}
