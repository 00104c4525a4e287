import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Encoding, StaticFile } from './folder.ts';

const year = 31_536_000;

/** Answers a file: unchanged ones without content, hashed ones for a year, compressed where possible. */
export async function sendFile(
  file: StaticFile,
  request: FastifyRequest,
  reply: FastifyReply,
  audience: 'public' | 'private',
): Promise<FastifyReply> {
  reply.headers({
    'content-type': file.type,
    'cache-control': file.isImmutable ? `${audience}, max-age=${year}, immutable` : `${audience}, no-cache`,
    etag: file.etag,
    vary: 'accept-encoding',
  });
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const encoding = encodingOf(request.headers['accept-encoding']);
  const compressed = encoding && (await file.compressed(encoding));
  if (!compressed) return reply.send(file.content);
  return reply.header('content-encoding', encoding).send(compressed);
}

/** How a response is compressed for a browser; null: not at all. */
export function encodingOf(acceptEncoding: string | string[] | undefined): Encoding | null {
  const wishes = String(acceptEncoding ?? '').split(',');
  const accepts = (name: string) => wishes.some((wish) => wish.trim().split(';')[0] === name);
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : null;
}
